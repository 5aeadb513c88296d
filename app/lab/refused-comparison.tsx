import { translator } from "@/lib/i18n";
import { explainDenial, explainRefusal, retryAfterSeconds } from "@/lib/limits/refusal";
import type { Refused } from "@/lib/limits/types";
import { setStatus, unsentResponse } from "@/lib/request/current-request";

const statuses = { limited: 429, denied: 403, unavailable: 503 };

/** The reason for missing results, shown in their place; sets the page's status. */
export function RefusedComparison({ refused }: { refused: Refused }) {
  setStatus(statuses[refused.kind]);
  const seconds = refused.kind === "limited" ? retryAfterSeconds(refused.refusal.decision) : null;
  if (seconds !== null) unsentResponse()?.setHeader("Retry-After", seconds);
  return (
    <p id="results" role="status" className="mt-10 max-w-prose scroll-mt-6 text-wrong">
      {refused.kind === "limited" && explainRefusal(refused.refusal)}
      {refused.kind === "denied" && explainDenial(refused)}
      {refused.kind === "unavailable" && translator("lab")("error.unavailable")}
    </p>
  );
}
