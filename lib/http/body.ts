/** Reading request bodies of node:http, bounded each and together. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Problem } from "./problem.ts";

export interface Body {
  bytes: Buffer<ArrayBuffer>;
  /** Of a reader that gives back: lets the request's next reader have the body. */
  release: () => void;
}

/** Of all bodies that are being received or handled; each chunk takes some memory of its own. */
const totalMaximumBytes = 64 * 1024 * 1024;
const chunkOverheadBytes = 200;

const tooManyBodies: Problem = {
  status: 503,
  detail: "Too many large requests are being sent at once. Try again in a moment.",
  headers: { "Retry-After": "1" },
};

/**
 * A reader of bodies of at most `maximumBytes`; `tooLarge` is the problem of larger ones.
 *
 * To be called as soon as the request arrives: it does not see earlier chunks. Stays pending when the client breaks off.
 * With `givesBack` the request can be read again, which costs some 2 µs more.
 */
export function createBodyReader(maximumBytes: number, tooLarge: Problem, { givesBack = false } = {}) {
  let totalBytes = 0;
  return function readBody(request: IncomingMessage, response: ServerResponse): Promise<Body | Problem> {
    if (Number(request.headers["content-length"] ?? 0) > maximumBytes) return Promise.resolve(tooLarge);
    if (request.headers.expect !== undefined) response.writeContinue();
    return new Promise((resolve) => {
      let chunks: Uint8Array[] = [];
      let bytes = 0;
      let reserved = 0;
      const onData = (chunk: Uint8Array) => {
        chunks.push(chunk);
        bytes += chunk.length;
        reserved += chunk.length + chunkOverheadBytes;
        totalBytes += chunk.length + chunkOverheadBytes;
        if (bytes > maximumBytes) stop(tooLarge);
        else if (totalBytes > totalMaximumBytes) stop(tooManyBodies);
      };
      const stop = (problem: Problem) => {
        if (givesBack) request.push = () => true;
        else request.off("data", onData);
        chunks = [];
        resolve(problem);
      };
      const onEnd = (release: Body["release"]) => resolve({ bytes: Buffer.concat(chunks), release });
      if (givesBack) intercept(request, onData, onEnd);
      else request.on("data", onData).once("end", () => onEnd(() => {}));
      request.once("close", () => {
        totalBytes -= reserved;
      });
    });
  };
}

/** Hands over what the HTTP parser gives to `push`: every chunk, and null at the end. Reading would use the stream up. */
function intercept(
  request: IncomingMessage,
  onData: (chunk: Uint8Array) => void,
  onEnd: (release: () => void) => void,
): void {
  const { push } = request;
  const chunks: Uint8Array[] = [];
  request.push = (chunk: Uint8Array | null) => {
    if (chunk) {
      chunks.push(chunk);
      onData(chunk);
      return true;
    }
    request.push = push;
    onEnd(() => {
      for (const each of chunks) request.push(each);
      request.push(null);
    });
    return true;
  };
}
