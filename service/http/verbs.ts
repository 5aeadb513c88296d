/** Executes the request of a body, or a list of them, and makes the reply. */
import type { Problem } from "../../lib/http/problem.ts";
import { type Decision, rateLimitHeaders } from "../../lib/limiter/index.ts";
import { type FieldErrors, validate } from "../../lib/validation.ts";
import type { DecisionAnswer } from "../answers.ts";
import type { EncodedAnswer, IdempotentEngine } from "../idempotency.ts";
import { mostInList, type Request, requestSchema, type Verb } from "../messages.ts";
import { idIn, readRequest } from "../read-request.ts";
import { problemReply, type Reply } from "./reply.ts";
import type { VerbRoute } from "./routes.ts";

export type Engine = Pick<IdempotentEngine, "executeEncoded">;

/** Calls the engine before it returns, so that requests are decided in their order. */
export function execute(
  engine: Engine,
  value: unknown,
  { verb, decidesStatus }: VerbRoute,
  signal: AbortSignal,
): Problem | Promise<Reply> {
  const one = (request: Request) => engine.executeEncoded(request, verb === "wait" ? signal : undefined);
  if (!Array.isArray(value)) {
    const request = checked(value, verb);
    return "errors" in request
      ? invalid(request.errors)
      : one(request).then((encoded) => reply(encoded, decidesStatus));
  }
  if (decidesStatus) return invalid({ status: ["is for a single request: leave it out for a list"] });
  if (value.length < 1 || value.length > mostInList)
    return invalid({ form: [`must have 1 to ${mostInList} parts when it is a list: send it in several`] });
  const texts = value.map(async (each) => {
    const request = checked(each, verb);
    if (!("errors" in request)) return (await one(request)).text;
    return JSON.stringify({ id: idIn(each), error: sentencesOf(request.errors) });
  });
  return Promise.all(texts).then((all) => ({ status: 200, body: `[${all.join(",")}]` }));
}

/** The URL has the verb; the body may repeat it. */
function checked(value: unknown, verb: Verb): Request | { errors: FieldErrors } {
  const request = readRequest(value);
  if (typeof request === "string") {
    const validated = validate(requestSchema, value);
    return { errors: validated.ok ? { form: [request] } : validated.errors };
  }
  if (request.verb !== verb && Object.hasOwn(Object(value), "verb"))
    return { errors: { verb: [`must be ${verb}, as in the address, or be left out`] } };
  request.verb = verb;
  return request;
}

function invalid(errors: FieldErrors): Problem {
  return { status: 422, detail: sentencesOf(errors), errors };
}

function sentencesOf(errors: FieldErrors): string {
  return Object.entries(errors)
    .flatMap(([field, messages]) =>
      messages.map((message) => `${field === "form" ? "The request" : field} ${message}`),
    )
    .join("; ");
}

function reply({ answer, text }: EncodedAnswer, decidesStatus: boolean): Reply {
  if ("error" in answer) {
    if (!answer.unavailable) return problemReply({ status: 422, detail: answer.error });
    return problemReply({ status: 503, detail: answer.error, headers: { "Retry-After": "1" } });
  }
  if (!("allowed" in answer)) return { status: 200, body: text };
  const refusalStatus = "unavailable" in answer.reason ? 503 : 429;
  return {
    status: answer.allowed || !decidesStatus ? 200 : refusalStatus,
    body: text,
    headers: limitHeaders(answer),
  };
}

/** Named after what has the counts: the rule, or the request's policy. */
function limitHeaders(answer: DecisionAnswer): string[] {
  if (!isOfLimit(answer))
    return answer.retryAfterMs > 0 ? ["Retry-After", String(Math.ceil(answer.retryAfterMs / 1_000))] : [];
  const headers: string[] = [];
  const byName = rateLimitHeaders(answer.rule ?? answer.policy ?? "", answer);
  for (const name in byName) headers.push(name, byName[name] ?? "");
  return headers;
}

function isOfLimit(answer: DecisionAnswer): answer is DecisionAnswer & Decision {
  return "algorithm" in answer.reason;
}
