/** The JSON body of a request, read up to a maximum length. */
import type { Problem } from "./problem.ts";

/** The most any request may carry: a post's 50,000 characters take some 450 kB in the worst encoding. */
export const bodyMaximumBytes = 1024 * 1024;

export type JsonBody = { ok: true; value: unknown } | { ok: false; problem: Problem };

/**
 * Reads and parses a body of at most `maximumBytes`.
 *
 * A body that cannot be read is a 415, 413 or 400. Never throws because of what a client sent, or stopped sending.
 */
export async function readJson(request: Request, maximumBytes: number): Promise<JsonBody> {
  if (!isJson(request.headers.get("content-type")))
    return fault(415, "Send JSON in UTF-8, with the header Content-Type: application/json.");
  const bytes = await readBytes(request.body, maximumBytes);
  if (bytes === "too large")
    return fault(413, `The body is too large: at most ${maximumBytes} bytes can be sent here.`);
  if (bytes === "broken off") return fault(400, "The body was not sent whole.");
  try {
    return { ok: true, value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return fault(400, "The body is not JSON in UTF-8.");
  }
}

/** Whether a `Content-Type` says JSON in UTF-8. */
export function isJson(contentType: string | null): boolean {
  const [type = "", ...parameters] = (contentType ?? "").toLowerCase().split(";");
  const charset = parameters.map((parameter) => /^\s*charset=(.*)$/.exec(parameter)?.[1]).find(Boolean);
  return type.trim() === "application/json" && /^(?:"?utf-?8"?)?\s*$/.test(charset ?? "");
}

async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  maximumBytes: number,
): Promise<Uint8Array | "too large" | "broken off"> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    // Leaving the loop cancels the stream: what is left of it is not read.
    for await (const chunk of body ?? []) {
      length += chunk.length;
      if (length > maximumBytes) return "too large";
      chunks.push(chunk);
    }
  } catch {
    return "broken off";
  }
  return Buffer.concat(chunks);
}

function fault(status: number, detail: string): JsonBody {
  return { ok: false, problem: { status, detail } };
}
