/** Reading request bodies of node:http, bounded each and together. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Problem } from "./problem.ts";

export interface Body {
  bytes: Buffer<ArrayBuffer>;
  /** Ends the request's own stream: with these bytes, for a handler that reads it, or empty. */
  release: (bytes?: Uint8Array) => void;
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
 */
export function createBodyReader(maximumBytes: number, tooLarge: Problem) {
  let totalBytes = 0;
  return function readBody(request: IncomingMessage, response: ServerResponse): Promise<Body | Problem> {
    if (Number(request.headers["content-length"] ?? 0) > maximumBytes) return Promise.resolve(tooLarge);
    if (request.headers.expect !== undefined) response.writeContinue();
    return new Promise((resolve) => {
      const { push } = request;
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      let reserved = 0;
      const stop = (problem: Problem) => {
        chunks.length = 0;
        // The parser goes on; what it still brings is dropped.
        request.push = () => true;
        resolve(problem);
      };
      // The HTTP parser gives every chunk to `push`, and null at the end. Reading the stream would use it up.
      request.push = (chunk: Uint8Array | null) => {
        if (chunk === null) {
          request.push = push;
          const whole = Buffer.concat(chunks);
          const release = (again?: Uint8Array) => {
            if (again && again.length > 0) request.push(again);
            request.push(null);
          };
          resolve({ bytes: whole, release });
          return true;
        }
        chunks.push(chunk);
        bytes += chunk.length;
        reserved += chunk.length + chunkOverheadBytes;
        totalBytes += chunk.length + chunkOverheadBytes;
        if (bytes > maximumBytes) stop(tooLarge);
        else if (totalBytes > totalMaximumBytes) stop(tooManyBodies);
        return true;
      };
      request.once("close", () => {
        totalBytes -= reserved;
      });
    });
  };
}
