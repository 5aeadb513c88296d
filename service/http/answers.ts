/** An answer in HTTP's words: a status, and headers that say how much of a limit is left. */
import type { z } from "zod";
import type { Problem } from "../../lib/http/problem.ts";
import { rateLimitHeaders } from "../../lib/limiter/index.ts";
import type { faultAnswerSchema } from "../answers.ts";
import type { Answer, DecisionAnswer } from "../messages.ts";
import { jsonReply, problemReply, type Reply } from "./reply.ts";

/** With `decidesStatus`, a refusal is a 429, and one for want of the state a 503. Several answers have no headers of limits. */
export function answerReply(answer: Answer | Answer[], decidesStatus: boolean): Reply {
  if (Array.isArray(answer)) return jsonReply(200, answer);
  if ("error" in answer) return problemReply(problemOf(answer));
  if (!("allowed" in answer)) return jsonReply(200, answer);
  return jsonReply(decidesStatus ? statusOf(answer) : 200, answer, headersOf(answer));
}

function problemOf({ error, unavailable }: z.infer<typeof faultAnswerSchema>): Problem {
  if (unavailable) return { status: 503, detail: error, headers: { "Retry-After": "1" } };
  return { status: 422, detail: error };
}

function statusOf({ allowed, reason }: DecisionAnswer): number {
  if (allowed) return 200;
  return "unavailable" in reason ? 503 : 429;
}

/** They bear the name of what has the counts: the rule, or the policy that was asked. */
function headersOf(answer: DecisionAnswer): string[] {
  const { reason, rule, policy, retryAfterMs } = answer;
  if ("algorithm" in reason)
    return Object.entries(rateLimitHeaders(rule ?? policy ?? "", { ...answer, reason })).flat();
  return retryAfterMs > 0 ? ["Retry-After", String(Math.ceil(retryAfterMs / 1_000))] : [];
}
