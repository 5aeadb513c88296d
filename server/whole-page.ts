/**
 * Pages that are rendered whole before they are sent.
 * Without the framework's scripts where the page has nothing to hydrate.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { within } from "../lib/observe/deadline.ts";
import { type CurrentRequest, runWithRequest } from "../lib/request/current-request.ts";
import { CapturedResponse } from "./captured-response.ts";
import { compress, encodingFor } from "./compression.ts";
import { omitScripts } from "./omit-scripts.ts";

/** Next.js. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** How long a page for many requests, and one for a single one, may take. */
export const makeMaximumMs = 10_000;
const singleMaximumMs = 60_000;

/** Renders a page; resolves to its body. */
export async function renderPage(
  request: IncomingMessage,
  current: CurrentRequest & { response: CapturedResponse },
  handle: Handle,
): Promise<Buffer> {
  const { response, nonce } = current;
  await runWithRequest(current, () => handle(request, response));
  const body = await response.body;
  const isHtml = String(response.getHeader("content-type")).startsWith("text/html");
  // A script fills the error page.
  const omits = current.hasNoScripts === true && isHtml && response.statusCode < 500;
  return omits && nonce !== undefined ? Buffer.from(omitScripts(body.toString(), nonce)) : body;
}

/**
 * Whether `public/form.js` sends a form.
 * In place of a redirect it takes the address of the next page.
 */
export function isScriptForm({ method, headers }: IncomingMessage): boolean {
  return method === "POST" && headers.prefer === "return=minimal";
}

/**
 * Renders a page for one request, and sends it.
 * Resolves when the render has ended, which the client's leaving makes the framework stop.
 */
export async function sendWhole(
  request: IncomingMessage,
  current: CurrentRequest,
  handle: Handle,
  timeoutMs = singleMaximumMs,
): Promise<void> {
  const { response } = current;
  const encoding = encodingFor(request.headers["accept-encoding"]);
  // It is compressed here: Next.js would do it before scripts are left out.
  delete request.headers["accept-encoding"];
  const captured = new CapturedResponse(request);
  copyHeaders(response, captured);
  response.once("close", () => captured.destroy());
  let body: Buffer;
  try {
    body = await within(timeoutMs, () => renderPage(request, { ...current, response: captured }, handle));
  } catch (err) {
    captured.destroy();
    if (response.destroyed) return;
    throw err;
  }
  copyHeaders(captured, response);
  if (isScriptForm(request) && captured.hasHeader("location")) {
    // A script cannot read a redirect, which the browser follows for it.
    response.writeHead(204).end();
    return;
  }
  response.statusCode = captured.statusCode;
  const compressed = await compress(body, encoding, "one");
  if (compressed) response.setHeader("Content-Encoding", encoding);
  response.setHeader("Content-Length", (compressed ?? body).length);
  response.end(compressed ?? body);
}

/** Copies headers that differ; the others keep the case of their names. */
function copyHeaders(from: ServerResponse, to: ServerResponse): void {
  for (const [name, value] of Object.entries(from.getHeaders()))
    if (value !== undefined && to.getHeader(name) !== value) to.setHeader(name, value);
}
