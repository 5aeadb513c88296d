/** An answer in HTTP's words: a status, and headers that say how much of a limit is left. */
import type { z } from "zod";
import type { Problem } from "../../lib/http/problem.ts";
import { type Decision, rateLimitHeaders } from "../../lib/limiter/index.ts";
import type { DecisionAnswer, faultAnswerSchema } from "../answers.ts";
import type { EncodedAnswer } from "../idempotency.ts";
import { problemReply, type Reply, textReply } from "./reply.ts";

/** With `decidesStatus`, a refusal is a 429, and one for want of the state a 503. Several answers have no headers of limits. */
export function answerReply(answered: EncodedAnswer | EncodedAnswer[], decidesStatus: boolean): Reply {
  if (Array.isArray(answered)) return textReply(200, `[${answered.map(({ text }) => text).join(",")}]`);
  const { answer, text } = answered;
  if ("error" in answer) return problemReply(problemOf(answer));
  if (!("allowed" in answer)) return textReply(200, text);
  return textReply(decidesStatus ? statusOf(answer) : 200, text, headersOf(answer));
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
  if (!isOfLimit(answer)) {
    const { retryAfterMs } = answer;
    return retryAfterMs > 0 ? ["Retry-After", String(Math.ceil(retryAfterMs / 1_000))] : [];
  }
  const named = rateLimitHeaders(answer.rule ?? answer.policy ?? "", answer);
  const headers: string[] = [];
  for (const name in named) headers.push(name, named[name] ?? "");
  return headers;
}

function isOfLimit(answer: DecisionAnswer): answer is DecisionAnswer & Decision {
  return "algorithm" in answer.reason;
}
