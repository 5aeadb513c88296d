/** Asks the engine what a request's body asks: one thing, or a list of them. */
import type { Problem } from "../../lib/http/problem.ts";
import { type FieldErrors, validate } from "../../lib/validation.ts";
import type { EncodedAnswer, IdempotentEngine } from "../idempotency.ts";
import { mostInList, type Request, requestSchema, type Verb } from "../messages.ts";
import { idIn, readRequest } from "../read-request.ts";
import type { Connection } from "./connections.ts";
import type { Asked } from "./target.ts";

/** The engine, behind what remembers repeated requests. */
export type Asker = Pick<IdempotentEngine, "askEncoded">;

/** What is wrong with the input as a whole is told at once; of a list, what is wrong with each is its answer. */
export type Ask = (
  value: unknown,
  asked: Asked,
  connection: Connection,
) => Problem | Promise<EncodedAnswer | EncodedAnswer[]>;

/** Asks before it returns, so that who calls it first is decided first. */
export function createAsking(engine: Asker): Ask {
  function one(request: Request, connection: Connection): Promise<EncodedAnswer> {
    if (request.verb !== "wait") return engine.askEncoded(request);
    const wait = new AbortController();
    if (connection.isClosing) wait.abort();
    connection.waiting.add(wait);
    return engine.askEncoded(request, wait.signal).finally(() => connection.waiting.delete(wait));
  }

  function list(values: unknown[], { verb, decidesStatus }: Asked, connection: Connection) {
    if (decidesStatus) return invalid({ status: ["is for a single request: leave it out for a list"] });
    if (values.length < 1 || values.length > mostInList)
      return invalid({ form: [`must have 1 to ${mostInList} parts when it is a list: send it in several`] });
    const answers = values.map((value): EncodedAnswer | Promise<EncodedAnswer> => {
      const request = checked(value, verb);
      return "errors" in request ? faultOf(value, request.errors) : one(request, connection);
    });
    return Promise.all(answers);
  }

  return (value, asked, connection) => {
    if (Array.isArray(value)) return list(value, asked, connection);
    const request = checked(value, asked.verb);
    return "errors" in request ? invalid(request.errors) : one(request, connection);
  };
}

/** The address says the verb; the body may say it again. */
function checked(value: unknown, verb: Verb): Request | { errors: FieldErrors } {
  const request = readRequest(value);
  if (typeof request === "string") {
    const byField = validate(requestSchema, value);
    return { errors: byField.ok ? { form: [request] } : byField.errors };
  }
  if (request.verb === verb) return request;
  if (Object.hasOwn(Object(value), "verb"))
    return { errors: { verb: [`must be ${verb}, as in the address, or be left out`] } };
  request.verb = verb;
  return request;
}

function faultOf(value: unknown, errors: FieldErrors): EncodedAnswer {
  const id = idIn(value);
  const answer = { ...(id !== undefined && { id }), error: sentencesOf(errors) };
  return { answer, text: JSON.stringify(answer) };
}

function invalid(errors: FieldErrors): Problem {
  return { status: 422, detail: sentencesOf(errors), errors };
}

function sentencesOf(errors: FieldErrors): string {
  const sentences = Object.entries(errors).flatMap(([field, messages]) =>
    messages.map((message) => (field === "form" ? `The request ${message}` : `${field} ${message}`)),
  );
  return sentences.join("; ");
}
