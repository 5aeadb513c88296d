/** What comes as text and is answered with text: JSON, or the bare text of the original's protocol. */
import { isUtf8 } from "node:buffer";
import { type Answer, type Engine, type Request, requestSchema } from "./messages.ts";

/** How many requests one message may hold. */
export const requestsMaximum = 100;

const json = "Send a JSON object, or a list of them, in UTF-8.";
const ofTheDefault: Request = { verb: "consume" };

/** What stands in these bytes; undefined when it is not UTF-8. */
export function textIn(bytes: Buffer, start: number, end: number): string | undefined {
  const text = bytes.toString("utf8", start, end);
  // What is no UTF-8 becomes this character, which may also have been sent as it is.
  return text.includes("\ufffd") && !isUtf8(bytes.subarray(start, end)) ? undefined : text;
}

/** Asks the engine before it returns, so that who calls it first is decided first. The promise rejects only if the engine's does. */
export function answerTo(text: string | undefined, engine: Engine, signal: AbortSignal): Promise<string> {
  if (text === undefined) return fault(`The message is not UTF-8. ${json}`);
  const first = text.trimStart()[0];
  if (first === undefined) return fault(`The message is empty. ${json}`);
  if (first !== "{" && first !== "[") return engine.ask(ofTheDefault, signal).then(word);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fault(`The message is not JSON: ${error instanceof Error ? error.message : error}. ${json}`);
  }
  if (!Array.isArray(value)) return ask(value, engine, signal).then(JSON.stringify);
  if (value.length < 1 || value.length > requestsMaximum)
    return fault(
      `A list has 1 to ${requestsMaximum} requests, but this one has ${value.length}: send it in parts.`,
    );
  return Promise.all(value.map((each) => ask(each, engine, signal))).then((answers) =>
    JSON.stringify(answers),
  );
}

function ask(value: unknown, engine: Engine, signal: AbortSignal): Promise<Answer> {
  const request = requestSchema.safeParse(value);
  if (request.success) return engine.ask(request.data, signal);
  const id = requestSchema.shape.id.safeParse(Object(value).id);
  const error = request.error.issues
    .map(({ path, message }) => `${path.join(".")} ${message}`.trim())
    .join("; ");
  return Promise.resolve({ ...(id.data !== undefined && { id: id.data }), error });
}

function word(answer: Answer): string {
  return "allowed" in answer && answer.allowed ? "go" : "sorry";
}

async function fault(error: string): Promise<string> {
  return JSON.stringify({ error });
}
