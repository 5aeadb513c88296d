/** Executes the request of a body, or a list of them, and makes the reply. */
import { jsonReply, problemReply, type Reply } from "../../lib/http/reply.ts";
import { type Decision, rateLimitHeaders } from "../../lib/limiter/index.ts";
import { andThen, type DecisionAnswer, type EncodedAnswer, type MaybePromise } from "../answers.ts";
import { answerList, listFault, type RequestExecutor } from "../codec.ts";
import { faultOf, type RequestFault, readRequest } from "../read-request.ts";
import type { VerbRoute } from "./routes.ts";

/** Calls the engine before it returns, so that requests are decided in their order. */
export function execute(
  engine: RequestExecutor,
  value: unknown,
  { verb, decidesStatus }: VerbRoute,
  signal: AbortSignal,
): MaybePromise<Reply> {
  if (Array.isArray(value)) {
    const fault = decidesStatus ? "status is for a single request: leave it out" : listFault(value);
    if (fault !== undefined) return invalid(faultOf([{ path: [], message: fault }]), fault);
    return answerList(value, engine, signal, verb).then(({ text }) => jsonReply(text));
  }
  const request = readRequest(value, verb);
  if ("error" in request) return invalid(request);
  return andThen(engine.executeEncoded(request, signal), (encoded) => replyOf(encoded, decidesStatus));
}

function invalid({ errors, error }: RequestFault, detail = error): Reply {
  return problemReply({ status: 422, detail, errors });
}

function replyOf({ answer, text }: EncodedAnswer, decidesStatus: boolean): Reply {
  if ("error" in answer) {
    if (!answer.unavailable) return problemReply({ status: 422, detail: answer.error });
    return problemReply({ status: 503, detail: answer.error, headers: { "Retry-After": "1" } });
  }
  if (!("allowed" in answer)) return jsonReply(text);
  const refusalStatus = "unavailable" in answer.reason ? 503 : 429;
  const status = answer.allowed || !decidesStatus ? 200 : refusalStatus;
  return jsonReply(text, { status, headers: limitHeaders(answer) });
}

/** Named after the rule, or the policy, that counts the request. */
function limitHeaders(answer: DecisionAnswer): Record<string, string> {
  if (isOfLimit(answer)) return rateLimitHeaders(answer.rule ?? answer.policy ?? "", answer);
  return answer.retryAfterMs > 0 ? { "Retry-After": String(Math.ceil(answer.retryAfterMs / 1_000)) } : {};
}

function isOfLimit(answer: DecisionAnswer): answer is DecisionAnswer & Decision {
  return "algorithm" in answer.reason;
}
