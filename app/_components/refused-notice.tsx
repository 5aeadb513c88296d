import { explainDenial, explainRefusal, retryAfterSeconds } from "@/lib/limits/refusal";
import type { Refused } from "@/lib/limits/types";
import { setStatus, unsentResponse } from "@/lib/request/current-request";

const statuses = { limited: 429, denied: 403, unavailable: 503 };

interface RefusedNoticeProps {
  refused: Refused;
  /** The text while the limits' store is out of reach. */
  unavailable: string;
  id?: string;
  className?: string;
}

/** The reason for missing results, shown in their place; sets the page's status. */
export function RefusedNotice({ refused, unavailable, id, className = "" }: RefusedNoticeProps) {
  setStatus(statuses[refused.kind]);
  const seconds = refused.kind === "limited" ? retryAfterSeconds(refused.refusal.decision) : null;
  if (seconds !== null) unsentResponse()?.setHeader("Retry-After", seconds);
  return (
    <p id={id} role="status" className={`max-w-prose text-wrong ${className}`}>
      {refused.kind === "limited" && explainRefusal(refused.refusal)}
      {refused.kind === "denied" && explainDenial(refused)}
      {refused.kind === "unavailable" && unavailable}
    </p>
  );
}
