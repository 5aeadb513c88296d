/** Receives request bodies before Next.js: complete, bounded, forms checked. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createBodyReader, createByteCount } from "../lib/http/body.ts";
import { bodyMaximumBytes } from "../lib/http/json-body.ts";
import { boundaryIn, fieldsMaximum, formExcess } from "../lib/http/multipart.ts";
import { isApi, type Problem } from "../lib/http/problem.ts";
import { translator } from "../lib/i18n/index.ts";
import { uploadMaximumBytes } from "../lib/media/bounds.ts";
import { clientAddress } from "../lib/request/current-request.ts";
import { tooLarge, tooLargeFor } from "../lib/request/form-too-large.ts";
import { incompleteForm } from "../lib/request/unreadable-form.ts";

/** The page for pasted ratings, 100,000 rows of some 40 bytes: its largest form. */
const ratingsPath = /^\/lab\/ratings(?:\?|$)/;
const ratingsField = "ratings";
const ratingsMaximumBytes = 4 * 1024 * 1024;

/** Pages and calls that take an image: its field, and the largest form around it. */
const imagePath =
  /^(?:\/account\/media(?:\/uploads)?|\/admin\/settings|\/api\/media|\/api\/settings\/images\/\w+)(?:\?|$)/;
const imageField = "file";
const imageMaximumBytes = uploadMaximumBytes + 64 * 1024;

/**
 * The page and the call that stream an archive to the disk.
 * Each has bounds of its own. They read the body as it arrives, and only for administrators.
 */
const streamedPath = /^(?:\/admin\/archive\/uploads|\/api\/imports)(?:\?|$)/;

/** The answer to an image that is larger than any may be. */
export const tooLargeImage = tooLargeFor(imageMaximumBytes);

/** The answer to a form with more fields than any page of the site has. */
const tooManyFields: Problem = {
  status: 413,
  detail: () => translator("problems")("tooManyFields", { maximum: fieldsMaximum }),
};

/** The header of a form sent by a script of ours. */
const actionHeader = "next-action";

const tooManyBodies: Problem = {
  status: 503,
  detail: () => translator("problems")("tooManyBodies"),
  headers: { "Retry-After": "1" },
};

const reading = { givesBack: true, count: createByteCount(), tooMany: tooManyBodies };
const usual = { read: createBodyReader(bodyMaximumBytes, tooLarge, reading), largeField: undefined };
const ofRatings = {
  read: createBodyReader(ratingsMaximumBytes, tooLargeFor(ratingsMaximumBytes), reading),
  largeField: ratingsField,
};
const ofImages = {
  read: createBodyReader(imageMaximumBytes, tooLargeImage, reading),
  largeField: imageField,
};

/**
 * Resolves to a problem with the body, or undefined once the request may continue.
 *
 * Next.js answers a server error for a form it cannot read, and keeps much of an endless body in memory. So each body is
 * held back until it is complete. Call this as soon as the request arrives.
 *
 * Anyone can send a form to any page, and it is parsed on the event loop before the page knows the sender. So its fields
 * are limited in number, and in size except for one field that is not parsed itself.
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
  const isMultipart = isOfType(headers, "multipart/form-data");
  const isForm = method === "POST" && !isApi(url) && (isMultipart || actionHeader in headers);
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (!isForm && !hasBody) return undefined;
  const large = imagePath.test(url) ? ofImages : ratingsPath.test(url) ? ofRatings : usual;
  const { read, largeField } = isMultipart ? large : usual;
  const body = await read(request, response, clientAddress());
  if ("status" in body) return body;
  body.release();
  const { bytes } = body;
  if (isMultipart) {
    const boundary = boundaryIn(headers["content-type"]);
    if (boundary === undefined) return incompleteForm;
    const excess = formExcess(bytes, boundary, { largeField, otherBytes: bodyMaximumBytes });
    if (excess) return excess === "fields" ? tooManyFields : tooLarge;
  } else if (isOfType(headers, "application/x-www-form-urlencoded") && hasMany(bytes, "&"))
    return tooManyFields;
  return isForm && !(await isReadableForm(headers, bytes)) ? incompleteForm : undefined;
}

function isOfType(headers: IncomingMessage["headers"], type: string): boolean {
  return headers["content-type"]?.toLowerCase().startsWith(type) === true;
}

/** Whether there are more of a character than between the fields of a form. */
function hasMany(bytes: Buffer, character: string): boolean {
  let count = 0;
  for (
    let at = bytes.indexOf(character);
    at >= 0 && count < fieldsMaximum;
    at = bytes.indexOf(character, at + 1)
  )
    count += 1;
  return count >= fieldsMaximum;
}

async function isReadableForm(
  headers: IncomingMessage["headers"],
  bytes: Buffer<ArrayBuffer>,
): Promise<boolean> {
  try {
    if (!isOfType(headers, "multipart/form-data")) return Array.isArray(JSON.parse(bytes.toString()));
    await new Response(bytes, { headers: { "Content-Type": headers["content-type"] ?? "" } }).formData();
    return true;
  } catch {
    return false;
  }
}
