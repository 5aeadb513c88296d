/** The record of a try to rate: what was decided, by whom, and why. */
import type { Database, NewAttempt } from "../../db/index.ts";
import type { PolicyDecision, Verdict } from "../guard/index.ts";
import type { Decision } from "../limiter/index.ts";

/** What stands in a record's place of a policy when none decided. */
export const decidedBy = { accessRules: "access-rules", outage: "outage" } as const;

/** Records an attempt with its verdict; runs in the transaction of the rating. */
export async function recordAttempt(
  { attempts }: Pick<Database, "attempts">,
  attempt: Pick<NewAttempt, "postId" | "userId" | "at" | "verb" | "score" | "held">,
  verdict: Verdict,
): Promise<void> {
  const { refused, decisions, shadows, byRule, outage } = verdict;
  const perPost = decisions.find(({ policy }) => policy === "rating.post");
  const told = refused?.kind === "limited" ? refused.refusal : (perPost ?? decisions[0]);
  const withoutState = outage && !perPost && refused?.kind !== "limited";
  const decider = byRule ? decidedBy.accessRules : withoutState ? decidedBy.outage : null;
  await attempts.insert(
    {
      ...attempt,
      allowed: !refused,
      policy: decider ?? told?.policy ?? null,
      reason: decider === null && told ? JSON.stringify(told.decision.reason) : null,
      level: levelOf(perPost?.decision),
    },
    shadows.map(shadowDecision),
  );
}

function shadowDecision({ policy, decision }: PolicyDecision) {
  return { policy, allowed: decision.allowed, reason: JSON.stringify(decision.reason) };
}

/** What an algorithm measures, for the chart: a bucket's level or tokens, what a window has counted, or the EMA's Z. */
function levelOf(decision: Decision | undefined): number | null {
  if (!decision) return null;
  const { reason } = decision;
  if ("level" in reason) return reason.level;
  if ("tokens" in reason) return reason.tokens;
  if ("used" in reason) return reason.used;
  if ("usedToday" in reason) return reason.usedToday;
  if ("z" in reason) return reason.z;
  return null;
}
