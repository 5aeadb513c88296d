/** Request bodies before Next.js sees them: bounded, and forms checked. */
import type { IncomingMessage } from "node:http";
import { bodyMaximumBytes } from "../lib/http/json-body.ts";
import { isApi, type Problem } from "../lib/http/problem.ts";

const tooLarge: Problem = {
  status: 413,
  detail: `The request is too large: at most ${bodyMaximumBytes / 1024 / 1024} MB can be sent at once.`,
};
const brokenForm: Problem = { status: 400, detail: "The form was not sent whole, or is no form." };

/** The header of a form sent by a script of ours. */
const actionHeader = "next-action";

/**
 * Resolves when the request may go on to Next.js: to the problem with its body, if there is one.
 *
 * Next.js answers a server error for a form it cannot read, and keeps much of an endless body in memory. So a body of
 * known length is judged by that; one of unknown length, and every form, is held back until it is complete. Call this
 * as soon as the request arrives: chunks that came earlier are not held back.
 */
export async function bodyProblem(request: IncomingMessage): Promise<Problem | undefined> {
  const { headers, method, url = "/" } = request;
  if (Number(headers["content-length"] ?? 0) > bodyMaximumBytes) return tooLarge;
  const isForm = method === "POST" && !isApi(url) && (isMultipart(headers) || actionHeader in headers);
  if (!isForm && headers["transfer-encoding"] === undefined) return undefined;
  const body = await holdBack(request);
  if (body === undefined) return tooLarge;
  const isReadable = !isForm || (await isReadableForm(headers, body.bytes));
  body.release();
  return isReadable ? undefined : brokenForm;
}

interface HeldBody {
  bytes: Buffer<ArrayBuffer>;
  /** Lets the request's reader have it. */
  release: () => void;
}

/** Resolves to the whole body, or as soon as it is too large to undefined. */
function holdBack(request: IncomingMessage): Promise<HeldBody | undefined> {
  const { promise, resolve } = Promise.withResolvers<HeldBody | undefined>();
  const push = request.push;
  const chunks: Uint8Array[] = [];
  let length = 0;
  // The HTTP parser gives every chunk to `push`, and null at the end. Reading the stream instead would use it up.
  request.push = (chunk: Uint8Array | null) => {
    length += chunk?.length ?? 0;
    if (chunk && length <= bodyMaximumBytes) {
      chunks.push(chunk);
      return true;
    }
    request.push = push;
    if (chunk) {
      resolve(undefined);
      return request.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    const release = () => {
      if (bytes.length > 0) request.push(bytes);
      request.push(null);
    };
    resolve({ bytes, release });
    return true;
  };
  return promise;
}

function isMultipart(headers: IncomingMessage["headers"]): boolean {
  return headers["content-type"]?.toLowerCase().startsWith("multipart/form-data") === true;
}

async function isReadableForm(
  headers: IncomingMessage["headers"],
  bytes: Buffer<ArrayBuffer>,
): Promise<boolean> {
  try {
    if (!isMultipart(headers)) return Array.isArray(JSON.parse(bytes.toString()));
    await new Response(bytes, { headers: { "Content-Type": headers["content-type"] ?? "" } }).formData();
    return true;
  } catch {
    return false;
  }
}
