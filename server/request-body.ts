/** Receives request bodies before Next.js: complete, bounded, forms checked. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createBodyReader, createByteCount } from "../lib/http/body.ts";
import { bodyMaximumBytes } from "../lib/http/json-body.ts";
import { isApi, type Problem } from "../lib/http/problem.ts";
import { uploadMaximumBytes } from "../lib/media/bounds.ts";
import { clientAddress } from "../lib/request/current-request.ts";
import { incompleteForm } from "../lib/request/unreadable-form.ts";

/** The page that compares pasted ratings, 100,000 rows of some 40 bytes. */
const ratingsPath = /^\/lab\/ratings(?:\?|$)/;
const ratingsMaximumBytes = 4 * 1024 * 1024;

/** The pages and the calls that take an image, with room for the form around it. */
const imagePath =
  /^(?:\/account\/media(?:\/uploads)?|\/admin\/settings|\/api\/media|\/api\/settings\/images\/\w+)(?:\?|$)/;
const imageMaximumBytes = uploadMaximumBytes + 64 * 1024;

/**
 * The page and the call that stream an archive to the disk.
 * Each has bounds of its own. They read the body as it arrives, and only for administrators.
 */
const streamedPath = /^(?:\/admin\/archive\/uploads|\/api\/imports)(?:\?|$)/;

function tooLargeFor(maximumBytes: number): Problem {
  const detail = `The request is too large: at most ${Math.floor(maximumBytes / 1024 / 1024)} MB can be sent at once.`;
  return { status: 413, detail };
}

/** The answer to a body that is larger than all but pasted ratings may be. */
export const tooLarge = tooLargeFor(bodyMaximumBytes);
/** The answer to an image that is larger than any may be. */
export const tooLargeImage = tooLargeFor(imageMaximumBytes);

/** The header of a form sent by a script of ours. */
const actionHeader = "next-action";

const reading = { givesBack: true, count: createByteCount() };
const readBody = createBodyReader(bodyMaximumBytes, tooLarge, reading);
const readRatings = createBodyReader(ratingsMaximumBytes, tooLargeFor(ratingsMaximumBytes), reading);
const readImage = createBodyReader(imageMaximumBytes, tooLargeImage, reading);

/**
 * Resolves to a problem with the body, or undefined once it may go on.
 *
 * Next.js answers a server error for a form it cannot read, and keeps much of an endless body in memory. So each body is
 * held back until it is complete. Call this as soon as the request arrives.
 */
export async function bodyProblem(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Problem | undefined> {
  const { headers, method, url = "/" } = request;
  if (method === "POST" && streamedPath.test(url)) {
    if (headers.expect !== undefined) response.writeContinue();
    return undefined;
  }
  const isForm = method === "POST" && !isApi(url) && (isMultipart(headers) || actionHeader in headers);
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (!isForm && !hasBody) return undefined;
  const read = imagePath.test(url) ? readImage : ratingsPath.test(url) ? readRatings : readBody;
  const body = await read(request, response, clientAddress());
  if ("status" in body) return body;
  body.release();
  return isForm && !(await isReadableForm(headers, body.bytes)) ? incompleteForm : undefined;
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
