/** The JSON body of a request, read up to a maximum length. */
import { isUtf8 } from "node:buffer";
import type { Problem } from "./problem.ts";

/**
 * The largest body of a request, in bytes.
 * A post's 50,000 characters take some 450 kB in the worst encoding.
 */
export const bodyMaximumBytes = 1024 * 1024;

type Read = { value: unknown } | Problem;

/**
 * Reads and parses a JSON body of at most `maximumBytes`.
 *
 * A body that cannot be read is a 415, 413 or 400. Never throws because of a client's data, or its end.
 */
export async function readJson(request: Request, maximumBytes: number): Promise<Read> {
  if (!isJson(request.headers.get("content-type"))) return notJsonType;
  const bytes = await request.arrayBuffer().catch(() => undefined);
  if (bytes === undefined) return { status: 400, detail: "The body is incomplete." };
  return bytes.byteLength > maximumBytes ? tooLarge(maximumBytes) : parseJson(Buffer.from(bytes));
}

/** A body that is not JSON in UTF-8 is a 400. */
export function parseJson(body: Buffer): Read {
  try {
    const text = utf8Text(body);
    if (text !== undefined) return { value: JSON.parse(text) };
  } catch {}
  return { status: 400, detail: "The body is not JSON in UTF-8." };
}

/** The text in these bytes; undefined when they are not UTF-8. */
export function utf8Text(bytes: Buffer): string | undefined {
  const text = bytes.toString();
  // Invalid bytes become this character, which may also have been sent.
  return text.includes("\ufffd") && !isUtf8(bytes) ? undefined : text;
}

/** Whether a `Content-Type` is JSON in UTF-8. */
export function isJson(contentType: string | null): boolean {
  const [type = "", ...parameters] = (contentType ?? "").toLowerCase().split(";");
  const charset = parameters.map((parameter) => /^\s*charset=(.*)$/.exec(parameter)?.[1]).find(Boolean);
  return type.trim() === "application/json" && /^(?:"?utf-?8"?)?\s*$/.test(charset ?? "");
}

export const notJsonType: Problem = {
  status: 415,
  detail: "Send JSON in UTF-8, with the header Content-Type: application/json.",
};

export function tooLarge(maximumBytes: number): Problem {
  return { status: 413, detail: `The body is too large: at most ${maximumBytes} bytes can be sent here.` };
}
