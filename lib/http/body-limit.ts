/**
 * No request body larger than any form or API call takes reaches the framework: it would keep much of it in
 * memory, and answer a server error for what is the client's fault.
 *
 * A body of known length is judged by that. One of unknown length (chunked) is held back until it is complete,
 * which also spares the framework bodies that never are.
 */
import type { IncomingMessage } from "node:http";

/** A post's content may have 50,000 characters; in the worst of all encodings that is some 450 kB. */
export const bodyMaximumBytes = 1024 * 1024;

/** Calls `onAccepted` once the body is known to be small enough, or else `onTooLarge`. */
export function limitBody(
  request: IncomingMessage,
  { onAccepted, onTooLarge }: { onAccepted: () => void; onTooLarge: () => void },
): void {
  if (Number(request.headers["content-length"] ?? 0) > bodyMaximumBytes) onTooLarge();
  else if (request.headers["transfer-encoding"] === undefined) onAccepted();
  else holdBack(request, onAccepted, onTooLarge);
}

function holdBack(request: IncomingMessage, onAccepted: () => void, onTooLarge: () => void): void {
  const push = request.push;
  const chunks: Uint8Array[] = [];
  let receivedBytes = 0;
  // The HTTP parser hands every chunk to `push`, and null at the end. Reading the stream instead would use it up.
  request.push = (chunk: Uint8Array | null) => {
    receivedBytes += chunk?.length ?? 0;
    if (chunk && receivedBytes <= bodyMaximumBytes) return chunks.push(chunk) > 0;
    request.push = push;
    if (chunk) {
      onTooLarge();
      return request.push(chunk);
    }
    onAccepted();
    for (const held of chunks) request.push(held);
    return request.push(null);
  };
}
