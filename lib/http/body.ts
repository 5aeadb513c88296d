/** Reading request bodies of node:http, bounded each, of one client and together. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Problem } from "./problem.ts";

interface Body {
  bytes: Buffer<ArrayBuffer>;
  /** With `givesBack`: passes the body on to the request's next reader. */
  release: () => void;
}

/** The maximum memory of bodies being received or handled, of all clients. */
const totalMaximumBytes = 64 * 1024 * 1024;
/** The same for one client address. */
const addressMaximumBytes = 16 * 1024 * 1024;
/**
 * The part of one body per connection that is not counted.
 * Small bodies are therefore read under any load from other clients.
 */
const uncountedBytes = 16 * 1024;

const empty = Buffer.alloc(0);

/** In English, for programs; a reader of pages gives one of its own. */
const tooManyBodies: Problem = {
  status: 503,
  detail: "Too many large requests are being sent at once. Try again in a moment.",
  headers: { "Retry-After": "1" },
};

/** Adds a change of memory; whether all bodies are within the bounds. */
type CountBytes = (address: string, change: number) => boolean;

/** Creates a count of bytes, which several readers can share. */
export function createByteCount(): CountBytes {
  let totalBytes = 0;
  const bytesByAddress = new Map<string, number>();
  return (address, change) => {
    totalBytes += change;
    const addressBytes = (bytesByAddress.get(address) ?? 0) + change;
    if (addressBytes > 0) bytesByAddress.set(address, addressBytes);
    else bytesByAddress.delete(address);
    return totalBytes <= totalMaximumBytes && addressBytes <= addressMaximumBytes;
  };
}

/**
 * Creates a reader of bodies of at most `maximumBytes`; else `tooLarge`.
 *
 * To be called as soon as the request arrives: it does not see earlier chunks. Stays pending when the client breaks off.
 * With `givesBack` the request can be read again, which costs some 2 µs more.
 */
export function createBodyReader(
  maximumBytes: number,
  tooLarge: Problem,
  { givesBack = false, count = createByteCount(), tooMany = tooManyBodies } = {},
) {
  const connectionsWithUncounted = new WeakSet<Socket>();

  /** `address` is the client's, as limits count it. */
  return function readBody(
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
  ): Promise<Body | Problem> {
    const { socket, headers } = request;
    const longest = Number(headers["content-length"] ?? maximumBytes);
    if (longest > maximumBytes) return Promise.resolve(tooLarge);
    if (headers.expect !== undefined) response.writeContinue();
    return new Promise((resolve) => {
      let buffer = empty;
      let length = 0;
      let isOver = false;
      let isKept = false;
      let isUncounted = false;
      let counted = 0;
      const finish = () => {
        isOver = true;
        buffer = empty;
        if (isUncounted) connectionsWithUncounted.delete(socket);
        isUncounted = false;
        if (counted > 0) count(address, -counted);
        counted = 0;
      };
      /** Keeps the body in memory, until its response is closed. */
      const keep = () => {
        isKept = true;
        isUncounted = !connectionsWithUncounted.has(socket);
        if (isUncounted) connectionsWithUncounted.add(socket);
        // Not the request's "close", which does not come when the client breaks off.
        response.once("close", finish);
      };
      const refuse = (problem: Problem) => {
        finish();
        resolve(problem);
      };
      const onData = (chunk: Buffer<ArrayBuffer>) => {
        if (isOver || response.destroyed) return;
        const needed = length + chunk.length;
        if (needed > maximumBytes) return refuse(tooLarge);
        if (needed === longest && length === 0 && !givesBack) {
          // The whole body. Its end, when it is handled, follows at once.
          buffer = chunk;
          length = needed;
          return;
        }
        if (!isKept) keep();
        // Chunks are copied: each would take some hundred bytes beside its own, and a client may send single ones.
        if (needed > buffer.length) {
          const size = Math.min(longest, Math.max(needed, 2 * buffer.length));
          const change = Math.max(0, size - (isUncounted ? uncountedBytes : 0)) - counted;
          counted += change;
          if (change > 0 && !count(address, change)) return refuse(tooMany);
          const larger = Buffer.allocUnsafe(size);
          larger.set(buffer.subarray(0, length));
          buffer = larger;
        }
        buffer.set(chunk, length);
        length = needed;
      };
      const onEnd = (release: (bytes: Buffer) => void) => {
        const bytes = length === buffer.length ? buffer : buffer.subarray(0, length);
        resolve({ bytes, release: () => release(bytes) });
      };
      if (givesBack) intercept(request, onData, onEnd);
      else request.on("data", onData).once("end", () => onEnd(() => {}));
    });
  };
}

/**
 * Intercepts the chunks that the HTTP parser gives to `push`, then null.
 * Reading would use the stream up.
 */
function intercept(
  request: IncomingMessage,
  onData: (chunk: Buffer<ArrayBuffer>) => void,
  onEnd: (release: (bytes: Buffer) => void) => void,
): void {
  const { push } = request;
  request.push = (chunk: Buffer<ArrayBuffer> | null) => {
    if (chunk) {
      onData(chunk);
      return true;
    }
    request.push = push;
    onEnd((bytes) => {
      if (bytes.length > 0) request.push(bytes);
      request.push(null);
    });
    return true;
  };
}
