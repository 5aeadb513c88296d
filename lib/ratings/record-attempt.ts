/** Records rating attempts: the decision, its policy and its reason. */
import type { Database, NewAttempt } from "../../db/index.ts";
import { type Decision, levelOf } from "../limiter/index.ts";
import type { PolicyDecision, Verdict } from "../limits/types.ts";

/** Recorded in place of a policy's name when no policy decided. */
export const decidedBy = { accessRules: "access-rules", outage: "outage" } as const;

/** Records an attempt; call it in the rating's transaction. */
export async function recordAttempt(
  { attempts }: Pick<Database, "attempts">,
  attempt: Pick<NewAttempt, "postId" | "userId" | "at" | "verb" | "score" | "held" | "network">,
  verdict: Verdict,
): Promise<void> {
  const { policy, decision } = deciderOf(verdict);
  await attempts.insert(
    {
      ...attempt,
      allowed: !verdict.refused,
      policy,
      reason: decision ? JSON.stringify(decision.reason) : null,
      level: levelBefore(perPost(verdict)?.decision),
    },
    verdict.shadows.map(shadowDecision),
  );
}

/**
 * The deciding policy and its decision.
 * Without one, a name of `decidedBy` or null.
 */
export function deciderOf(verdict: Verdict): { policy: string | null; decision?: Decision } {
  const { refused, decisions, byRule, outage } = verdict;
  if (byRule) return { policy: decidedBy.accessRules };
  if (refused?.kind === "limited") return refused.refusal;
  if (outage && !perPost(verdict)) return { policy: decidedBy.outage };
  return perPost(verdict) ?? decisions[0] ?? { policy: null };
}

function perPost({ decisions }: Verdict): PolicyDecision | undefined {
  return decisions.find(({ policy }) => policy === "rating.post");
}

function shadowDecision({ policy, decision }: PolicyDecision) {
  return { policy, allowed: decision.allowed, reason: JSON.stringify(decision.reason) };
}

/** The measured level for the chart. */
function levelBefore(decision: Decision | undefined): number | null {
  return (decision && levelOf(decision.reason)?.value) ?? null;
}
