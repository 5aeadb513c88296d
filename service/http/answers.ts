/** An answer in HTTP's words: a status, and headers that say how much of a limit is left. */
import { rateLimitHeaders } from "../../lib/limiter/index.ts";
import type { Answer, DecisionAnswer } from "../messages.ts";
import { jsonReply, problemReply, type Reply } from "./reply.ts";

/** One request's answer. With `decidesStatus`, a refusal is a 429, and one for want of the state a 503. */
export function answerReply(answer: Answer, decidesStatus: boolean): Reply {
  if ("error" in answer) return problemReply({ status: 422, detail: answer.error });
  if (!("allowed" in answer)) return jsonReply(200, answer);
  return jsonReply(decidesStatus ? statusOf(answer) : 200, answer, headersOf(answer));
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
