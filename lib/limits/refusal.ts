/**
 * Why a limit refused a request, as a person's sentence.
 * One wording for the pages' forms and the JSON API.
 *
 * It names the limited event, the refused action and the time to try again. It does not reveal how
 * full the limit is: that would help a flooder.
 */
import { translator } from "../i18n/index.ts";
import type { Decision } from "../limiter/index.ts";
import { currentLocale } from "../request/current-request.ts";
import { formatWait } from "../time/wait.ts";
import type { PolicyDecision, Refused } from "./types.ts";

/** "Too many requests: …, so your rating was not saved. Try again in 2 seconds." */
export function explainRefusal(refusal: PolicyDecision): string {
  return `${explainCause(refusal)} ${adviceOf(refusal.decision)}`;
}

/** The same without its advice, for where a countdown stands beside it. */
export function explainCause({ counts }: PolicyDecision): string {
  return translator("refusal")(`limit.${counts}`);
}

/** The message to a network from which too many invalid tokens come. */
export function explainBadTokens({ decision }: PolicyDecision): string {
  return `${translator("refusal")("badTokens")} ${adviceOf(decision)}`;
}

/** The message for a refusal that no limit made. */
export function explainDenial(refused: Exclude<Refused, { kind: "limited" }>): string {
  const t = translator("refusal");
  if (refused.kind === "unavailable") return t("unavailable");
  if (refused.isUnconfirmed) return t("unconfirmed");
  return refused.isPending ? t("pending") : t("denied");
}

/** The message of a server that has too much of this to do. */
export function explainBusy(work: "texts" | "passwords" | "names" | "images"): string {
  return translator("refusal")(`busy.${work}`);
}

/** The message of a site whose disk has no room for images. */
export function explainFullDisk(): string {
  return translator("refusal")("diskFull");
}

/**
 * In how many whole seconds to try again: at least 1, never too early.
 * Null when waiting does not help.
 */
export function retryAfterSeconds({ reason, retryAfterMs }: Decision): number | null {
  return reason.neverFits ? null : Math.max(1, Math.ceil(retryAfterMs / 1000));
}

function adviceOf(decision: Decision): string {
  const t = translator("refusal");
  const seconds = retryAfterSeconds(decision);
  return seconds === null ? t("neverFits") : t("retry", { wait: formatWait(seconds, currentLocale()) });
}
