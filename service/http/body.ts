/** The JSON that a request carries: read no further than it may be long, and all that are being read together bounded. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { isJson } from "../../lib/http/json-body.ts";
import type { Problem } from "../../lib/http/problem.ts";

/** A list of 100 requests with long keys and fields fits. */
export const bodyMaximumBytes = 256 * 1024;

/** What all bodies that have begun to arrive, and not ended, may take together. */
const heldMaximumBytes = 64 * 1024 * 1024;

const tooLarge: Problem = {
  status: 413,
  detail: `The body is too large: at most ${bodyMaximumBytes} bytes can be sent.`,
};
const wrongType: Problem = {
  status: 415,
  detail: "Send JSON in UTF-8, with the header Content-Type: application/json.",
};
const encoded: Problem = { status: 415, detail: "Send the body as it is, without Content-Encoding." };
const noJson: Problem = { status: 400, detail: "The body is not JSON in UTF-8." };
const tooMany: Problem = {
  status: 503,
  detail: "Too many large requests are being sent at once. Try again in a moment.",
  headers: { "Retry-After": "1" },
};

export interface BodyReader {
  /** All of the body, parsed. */
  onValue(value: unknown): void;
  /** The body is no JSON, or it is not read to its end. */
  onFault(problem: Problem): void;
}

/** What speaks against a body before any of it is read. */
export function faultBefore({ headers }: IncomingMessage): Problem | undefined {
  const type = headers["content-type"];
  if (type !== "application/json" && !isJson(type ?? null)) return wrongType;
  if ((headers["content-encoding"] ?? "identity") !== "identity") return encoded;
  return Number(headers["content-length"] ?? 0) > bodyMaximumBytes ? tooLarge : undefined;
}

/** Reads bodies, for all connections of a server. */
export function createBodies() {
  let heldBytes = 0;

  return {
    /** Calls exactly one of the two, or none when the client breaks off. */
    read(request: IncomingMessage, reader: BodyReader): void {
      let body: Buffer | undefined;
      let bytes = 0;

      const onData = (chunk: Buffer) => {
        bytes += chunk.length;
        heldBytes += chunk.length;
        if (bytes > bodyMaximumBytes) giveUp(tooLarge);
        else if (heldBytes > heldMaximumBytes) giveUp(tooMany);
        else if (body) body = appended(body, bytes - chunk.length, chunk);
        else {
          body = chunk;
          // Most are here at once. One that is not may break off.
          if (!request.complete) request.once("close", letGo);
        }
      };
      const onEnd = () => {
        const text = textOf(body?.length === bytes ? body : body?.subarray(0, bytes));
        letGo();
        const parsed = parse(text);
        if (parsed) reader.onValue(parsed.value);
        else reader.onFault(noJson);
      };
      const giveUp = (problem: Problem) => {
        request.off("data", onData).off("end", onEnd);
        letGo();
        reader.onFault(problem);
      };
      const letGo = () => {
        heldBytes -= bytes;
        bytes = 0;
        body = undefined;
      };
      request.on("data", onData).on("end", onEnd);
    },
  };
}

/** `body`, of which so many bytes are used, or a larger one, with `chunk` behind these. Many small ones would take far more memory. */
function appended(body: Buffer, usedBytes: number, chunk: Buffer): Buffer {
  const bytes = usedBytes + chunk.length;
  const large = bytes > body.length ? Buffer.allocUnsafe(Math.min(2 * bytes, bodyMaximumBytes)) : body;
  if (large !== body) body.copy(large, 0, 0, usedBytes);
  chunk.copy(large, usedBytes);
  return large;
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** The empty text, which is no JSON, for what is not UTF-8. */
function textOf(body: Buffer | undefined): string {
  return body && isUtf8(body) ? body.toString() : "";
}
