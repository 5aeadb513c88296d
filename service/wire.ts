/** What comes as text and is answered with text: JSON, or the bare text of the original's protocol. */
import { isUtf8 } from "node:buffer";
import { errorMessage } from "../lib/logging/error-message.ts";
import type { Answer } from "./answers.ts";
import { mostInList, type Request } from "./messages.ts";
import { idIn, readRequest } from "./read-request.ts";
import type { RepeatedRequests, WrittenAnswer } from "./repeated-requests.ts";

const json = "Send a JSON object, or a list of them, in UTF-8.";
const ofTheDefault: Request = { verb: "consume" };

/** What stands in these bytes; undefined when it is not UTF-8. */
export function textIn(bytes: Buffer, start: number, end: number): string | undefined {
  const text = bytes.toString("utf8", start, end);
  // What is no UTF-8 becomes this character, which may also have been sent as it is.
  return text.includes("\ufffd") && !isUtf8(bytes.subarray(start, end)) ? undefined : text;
}

/** Asks the engine before it returns: who calls it first is decided first. Rejects only if the engine does. */
export function answerTo(
  text: string | undefined,
  engine: RepeatedRequests,
  signal: AbortSignal,
): Promise<string> {
  if (text === undefined) return fault(`The message is not UTF-8. ${json}`);
  const first = text.trimStart()[0];
  if (first === undefined) return fault(`The message is empty. ${json}`);
  if (first !== "{" && first !== "[") return engine.ask(ofTheDefault, signal).then(wordOf);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fault(`The message is not JSON: ${errorMessage(error)}. ${json}`);
  }
  if (!Array.isArray(value)) return ask(value, engine, signal).then(textOf);
  const count = value.length;
  if (count < 1 || count > mostInList)
    return fault(`A list has 1 to ${mostInList} requests, but this one has ${count}: send it in parts.`);
  const answers = value.map((each) => ask(each, engine, signal));
  return Promise.all(answers).then((all) => `[${all.map(textOf).join(",")}]`);
}

function ask(value: unknown, engine: RepeatedRequests, signal: AbortSignal): Promise<{ text: string }> {
  const request = readRequest(value);
  if (typeof request !== "string") return engine.askWritten(request, signal);
  return fault(request, idIn(value)).then((text) => ({ text }));
}

function textOf({ text }: Pick<WrittenAnswer, "text">): string {
  return text;
}

function wordOf(answer: Answer): string {
  return "allowed" in answer && answer.allowed ? "go" : "sorry";
}

async function fault(error: string, id?: string | number): Promise<string> {
  return JSON.stringify({ id, error });
}
