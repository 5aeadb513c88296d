/**
 * Decodes messages and encodes their answers.
 * JSON, or the bare text of the original's protocol.
 */
import { utf8Text } from "../lib/http/json-body.ts";
import { errorMessage } from "../lib/logging/error-message.ts";
import { type Answer, andThen, type EncodedAnswer, type MaybePromise } from "./answers.ts";
import type { IdempotentEngine } from "./idempotency.ts";
import { mostInList, type Request, type Verb } from "./messages.ts";
import { idIn, readRequest } from "./read-request.ts";

type Encoded = Pick<EncodedAnswer, "text">;
export type RequestExecutor = Pick<IdempotentEngine, "executeEncoded">;

const json = "Send a JSON object, or a list of them, in UTF-8.";
const ofTheDefault: Request = { verb: "consume" };

/**
 * Decodes and dispatches a message; returns its encoded answer.
 * Calls the engine before it returns, so that messages are decided in their order. Rejects only if the engine does.
 */
export function answerTo(
  bytes: Buffer,
  engine: IdempotentEngine,
  signal: AbortSignal,
): MaybePromise<Encoded> {
  const text = utf8Text(bytes);
  if (text === undefined) return fault(`The message is not UTF-8. ${json}`);
  const first = text.trimStart()[0];
  if (first === undefined) return fault(`The message is empty. ${json}`);
  if (first !== "{" && first !== "[" && !isJson(text))
    return andThen(engine.execute(ofTheDefault, signal), (answer) => ({ text: wordOf(answer) }));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fault(`The message is not JSON: ${errorMessage(error)}. ${json}`);
  }
  if (!Array.isArray(value)) return answerOne(value, engine, signal);
  const tooMany = listFault(value);
  return tooMany === undefined ? answerList(value, engine, signal) : fault(tooMany);
}

export function listFault({ length }: readonly unknown[]): string | undefined {
  if (length >= 1 && length <= mostInList) return undefined;
  return `A list has 1 to ${mostInList} requests, but this one has ${length}: send it in parts.`;
}

/** The answers to a list of requests, in its order. */
export function answerList(
  values: readonly unknown[],
  engine: RequestExecutor,
  signal: AbortSignal,
  verb?: Verb,
): Promise<Encoded> {
  const answers = values.map((each) => answerOne(each, engine, signal, verb));
  return Promise.all(answers).then((all) => ({ text: `[${all.map(({ text }) => text).join(",")}]` }));
}

function answerOne(
  value: unknown,
  engine: RequestExecutor,
  signal: AbortSignal,
  verb?: Verb,
): MaybePromise<Encoded> {
  const request = readRequest(value, verb);
  return "error" in request ? fault(request.error, idIn(value)) : engine.executeEncoded(request, signal);
}

/** Whether text other than an object or a list is JSON: `null`, `"hi"`, `5`. */
function isJson(text: string): boolean {
  // Nearly always not: a look costs less than an error.
  if (!/^\s*["\-\dtfn]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function wordOf(answer: Answer): string {
  return "allowed" in answer && answer.allowed ? "go" : "sorry";
}

function fault(error: string, id?: string | number): Encoded {
  return { text: JSON.stringify({ id, error }) };
}
