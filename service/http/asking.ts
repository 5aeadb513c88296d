/** Asks the engine what a request's body asks: one thing, or a list of them. */
import { type Validated, validate } from "../../lib/validation.ts";
import { type Answer, type Engine, type Request, requestSchema, type Verb } from "../messages.ts";
import { requestsMaximum } from "../wire.ts";
import { answerReply } from "./answers.ts";
import type { Connection } from "./connections.ts";
import { jsonReply, problemReply, type Reply } from "./reply.ts";
import type { Asked } from "./target.ts";

/** Asks before it returns, so that who calls it first is decided first. */
export type Ask = (value: unknown, asked: Asked, connection: Connection) => Reply | Promise<Reply>;

export function createAsking(engine: Engine): Ask {
  function one(request: Request, connection: Connection): Promise<Answer> {
    if (request.verb !== "wait") return engine.ask(request);
    const wait = new AbortController();
    connection.waiting.add(wait);
    return engine.ask(request, wait.signal).finally(() => connection.waiting.delete(wait));
  }

  function list(values: unknown[], { verb, decidesStatus }: Asked, connection: Connection) {
    if (decidesStatus) return invalid({ status: ["is for a single request: leave it out for a list."] });
    if (values.length < 1 || values.length > requestsMaximum)
      return invalid({ form: [`A list has 1 to ${requestsMaximum} requests: send it in parts.`] });
    const answers = values.map((value): Answer | Promise<Answer> => {
      const request = checked(value, verb);
      return request.ok ? one(request.value, connection) : faultOf(value, request.errors);
    });
    return Promise.all(answers).then((all) => jsonReply(200, all));
  }

  return (value, asked, connection) => {
    if (Array.isArray(value)) return list(value, asked, connection);
    const request = checked(value, asked.verb);
    if (!request.ok) return invalid(request.errors);
    return one(request.value, connection).then((answer) => answerReply(answer, asked.decidesStatus));
  };
}

/** The path says the verb; the body may say it again. */
function checked(value: unknown, verb: Verb): Validated<Request> {
  const request = validate(requestSchema, value);
  if (!request.ok) return request;
  if (Object.hasOwn(Object(value), "verb") && request.value.verb !== verb)
    return { ok: false, errors: { verb: [`must be ${verb} here, as in the address, or left out`] } };
  request.value.verb = verb;
  return request;
}

/** A fault in a list, with the id when that much is good. */
function faultOf(value: unknown, errors: Record<string, string[]>): Answer {
  const { data: id } = requestSchema.shape.id.safeParse(Object(value).id);
  return { ...(id !== undefined && { id }), error: sentencesOf(errors) };
}

function invalid(errors: Record<string, string[]>): Reply {
  return problemReply({ status: 422, detail: sentencesOf(errors), errors });
}

function sentencesOf(errors: Record<string, string[]>): string {
  return Object.entries(errors)
    .flatMap(([field, messages]) =>
      messages.map((message) => (field === "form" ? message : `${field} ${message}`)),
    )
    .join("; ");
}
