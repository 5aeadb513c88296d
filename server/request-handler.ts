// Over 200 lines: the checks of one request, in their order.

/**
 * Checks and prepares a request before Next.js handles it.
 *
 * Forwarding headers are replaced by trusted ones, security headers are set, and requests without a handler are
 * refused. Authorisation is beside the data, never here.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isApi, type Problem } from "../lib/http/problem.ts";
import { bareReply, type Reply, send } from "../lib/http/reply.ts";
import type { RequestContext } from "../lib/http/server.ts";
import { translator } from "../lib/i18n/index.ts";
import type { Locale } from "../lib/i18n/locale.ts";
import { log } from "../lib/logging/log.ts";
import { isMedia } from "../lib/media/address.ts";
import { TooLate } from "../lib/observe/deadline.ts";
import { routeOf } from "../lib/observe/routes.ts";
import { oneClickPath } from "../lib/paths.ts";
import { type CurrentRequest, runWithRequest, unknownAddress } from "../lib/request/current-request.ts";
import { tooLarge, tooLargeFormPage, tooLargeImagePage } from "../lib/request/form-too-large.ts";
import { pageChanges } from "../lib/request/page-changes.ts";
import { type CachedPage, cachedPageOf } from "./cached-routes.ts";
import { CapturedResponse, requestFor } from "./captured-response.ts";
import { addressBehind } from "./client-address.ts";
import { isForeign, type SentTo, sentTo, type Trust } from "./forwarded.ts";
import { dropFrameworkHeaders } from "./framework-headers.ts";
import { sendMediaFile } from "./media-files.ts";
import { createPacedStarts } from "./paced-starts.ts";
import { createPageCache, type MadePage } from "./page-cache.ts";
import { type PageChoices, pageChoices } from "./page-choices.ts";
import { bodyProblem, tooLargeImage } from "./request-body.ts";
import { logWhenClosed, requestIdHeader, requestIdOf } from "./request-log.ts";
import { rewriteHeaders, splitTarget } from "./rewrite-request.ts";
import { pagePolicy, securityHeaders, setSecurityHeaders } from "./security-headers.ts";
import { iconRedirect } from "./site-icon.ts";
import { healthPath, isBuiltFile, isFile, pathOf, type Target, targetOf } from "./target.ts";
import { type Handle, isScriptForm, renderPage, sendWhole } from "./whole-page.ts";

export interface RequestHandlerOptions {
  trust: Trust;
  /** The site's languages; the first is for readers who accept none of them. */
  siteLocales: () => readonly [Locale, ...Locale[]];
  isDevelopment: boolean;
  /** The memory for copies of visitors' pages; 0 for none. */
  pageCacheBytes: number;
  /** The clock for the age of copies, in milliseconds. */
  clock?: (() => number) | undefined;
  /** How long requests wait, before one at a time makes the page for itself. */
  waitMaximumMs?: number | undefined;
  /** How long a page for all visitors may take before it is given up. */
  makeMaximumMs?: number | undefined;
  /** Whether the server is stopping, which `/readyz` reports. */
  isStopping: () => boolean;
  /** The number of connections accepted so far. */
  acceptedConnections: () => number;
  /** The folder with the files of images. */
  mediaFolder: string;
  /** Next.js. */
  handle: Handle;
}

type RequestHandler = (request: IncomingMessage, response: ServerResponse, context: RequestContext) => void;

const alive: Reply = {
  status: 200,
  headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  body: "ok\n",
};

const badTarget: Problem = { status: 400, detail: () => translator("problems")("badTarget") };
const badHost: Problem = { status: 400, detail: () => translator("problems")("badHost") };
const twoHosts: Problem = { status: 400, detail: () => translator("problems")("twoHosts") };
const nothingHere: Problem = { status: 404, detail: () => translator("problems")("nothingHere") };
const unexpected: Problem = { status: 500, detail: () => translator("problems")("unexpected") };
const tooBusy: Problem = {
  status: 503,
  detail: () => translator("problems")("tooBusy"),
  headers: { "Retry-After": "5" },
};
const foreign: Problem = { status: 403, detail: () => translator("problems")("foreign") };

/** The announced size of a body, in bytes. */
function sizeOf({ headers }: IncomingMessage): number | undefined {
  const size = Number(headers["content-length"]);
  return Number.isSafeInteger(size) ? size : undefined;
}

export function createRequestHandler({
  trust,
  siteLocales,
  isDevelopment,
  pageCacheBytes,
  clock,
  waitMaximumMs,
  makeMaximumMs,
  isStopping,
  acceptedConnections,
  mediaFolder,
  handle,
}: RequestHandlerOptions): RequestHandler {
  const mayStart = createPacedStarts({
    acceptedConnections,
    hasReaders: () => pageCache?.hasReaders() ?? false,
  });
  const pageCache =
    pageCacheBytes > 0
      ? createPageCache({
          maximumBytes: pageCacheBytes,
          mayStart,
          make,
          changes: pageChanges,
          clock,
          waitMaximumMs,
          makeMaximumMs,
        })
      : undefined;

  /** Makes a page for all visitors, from the parts of its key alone. */
  async function make(page: CachedPage, id: string, signal: AbortSignal): Promise<MadePage> {
    const { protocol, host, locale, theme } = page;
    const isHttps = protocol === "https";
    const request = requestFor(page.url, {
      host,
      "x-forwarded-host": host,
      "x-forwarded-proto": protocol,
      accept: page.acceptsHtml ? "text/html" : "*/*",
      "user-agent": "Weir",
    });
    const response = new CapturedResponse(request);
    signal.addEventListener("abort", () => response.destroy());
    setSecurityHeaders(response, isHttps);
    const nonce = setPagePolicy(request, response, { isHttps, isDevelopment });
    const target = page.url;
    const current = { id, clientAddress: unknownAddress, locale, theme, target, response, nonce };
    const body = await renderPage(request, current, handle);
    const headers = response
      .getHeaderNames()
      .flatMap((name) =>
        [response.getHeader(name) ?? []].flat().map((value) => [name, String(value)] as const),
      );
    return { status: response.statusCode, headers, body, nonce };
  }

  async function receive(
    request: IncomingMessage,
    current: CurrentRequest,
    clientUrl: SentTo,
    refusal: Problem | undefined,
  ) {
    const { response } = current;
    const path = pathOf(request.url ?? "/");
    if (isStopping() && path === "/readyz") {
      response.writeHead(503, { "Content-Type": "application/json", "Cache-Control": "no-store" });
      response.end('{"status":"stopping"}');
      return;
    }
    const faultyHead = refusal ?? headProblem(request, clientUrl);
    if (!faultyHead && path === healthPath) {
      send(response, alive);
      return;
    }
    if (!faultyHead && isMedia(path)) {
      await sendMediaFile(request, response, { folder: mediaFolder, path });
      return;
    }
    const icon = faultyHead ? undefined : iconRedirect(path);
    if (icon) return send(response, icon);
    const isInternal = !isDevelopment && isOfFramework(request.url ?? "/");
    const problem = faultyHead ?? (isInternal ? nothingHere : await bodyProblem(request, response));
    if (problem) {
      const isShown = isPage(path) && request.headers.accept?.includes("text/html") === true;
      send(
        response,
        isShown && problem === tooLarge
          ? tooLargeFormPage(sizeOf(request))
          : isShown && problem === tooLargeImage
            ? tooLargeImagePage()
            : bareReply(problem, request.url),
      );
      return;
    }
    if (isPage(path))
      current.nonce = setPagePolicy(request, response, {
        isHttps: clientUrl.protocol === "https",
        isDevelopment,
      });
    await mayStart();
    // A client that has gone costs no page.
    if (request.socket.destroyed) return;
    const isWhole =
      !isDevelopment && isPage(path) && !isFile(path) && (readsPage(request) || isScriptForm(request));
    await (isWhole ? sendWhole(request, current, handle) : handle(request, response));
  }

  /** Pages are in the reader's language, answers to programs always in one language. */
  function choicesFor({ headers }: IncomingMessage, { kind }: Target): PageChoices {
    if (kind === "api") return { locale: "en", theme: undefined };
    return kind === "file"
      ? { locale: siteLocales()[0], theme: undefined }
      : pageChoices(headers, siteLocales());
  }

  return (request, response, { problem, address, answered }) => {
    response.on("close", answered);
    const { headers, socket } = request;
    splitTarget(request);
    const id = requestIdOf(request, trust.trustedHops);
    const forwardedFor = String(headers["x-forwarded-for"] ?? "");
    const clientAddress = addressBehind(address, forwardedFor, trust.trustedHops);
    const clientUrl = sentTo(headers, trust, "encrypted" in socket && socket.encrypted === true);
    logWhenClosed(request, response, { id, clientAddress });
    const target = targetOf(request.url ?? "/");
    const choices = choicesFor(request, target);

    async function pass(): Promise<void> {
      response.setHeader(requestIdHeader, id);
      setSecurityHeaders(response, clientUrl.protocol === "https");
      rewriteHeaders(request, clientUrl);
      if (!isDevelopment) dropFrameworkHeaders(headers);
      const { url: target } = request;
      const current: CurrentRequest = { id, clientAddress, ...choices, target, response };
      // The page for a missing address cannot declare it itself: the framework renders it beside every other one.
      if (routeOf(pathOf(target ?? "/")) === "(no route)") current.hasNoScripts = true;
      await runWithRequest(current, () => receive(request, current, clientUrl, problem));
    }

    const page =
      pageCache && !problem ? cachedPageOf(request, target.canonicalUrl, clientUrl, choices) : undefined;
    const isShared = pageCache && page && !headProblem(request, clientUrl);
    const failed = (err: unknown) => {
      const current = { id, clientAddress, ...choices, target: request.url, response };
      runWithRequest(current, () => fail(request, response, err));
    };
    try {
      const answer = isShared
        ? pageCache.answer(page, request, response, { id, makeAlone: pass, failed })
        : pass();
      answer?.catch(failed);
    } catch (err) {
      failed(err);
    }
  };
}

/** Whether a request only reads a page, and not its data for the client router. */
function readsPage({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && headers.rsc === undefined;
}

/** The reply to a malformed request. */
export function replyTo(problem: Problem): Reply {
  const { headers, ...reply } = bareReply(problem);
  return { ...reply, headers: { ...securityHeaders, ...headers } };
}

/** The fault of a request, judged by its head. */
function headProblem(request: IncomingMessage, clientUrl: SentTo): Problem | undefined {
  const { headers, method = "", url = "" } = request;
  if (!url.startsWith("/")) return badTarget;
  const { path, allowedMethods: allowed } = targetOf(url);
  if (!allowed.includes(method))
    return {
      status: 405,
      detail: () => translator("problems")("method", { method, allowed: allowed.join(", ") }),
      headers: { Allow: allowed.join(", ") },
    };
  const mustHaveHost = headers.host === undefined && request.httpVersion === "1.1";
  if ((headers.host || mustHaveHost) && !clientUrl.host) return badHost;
  if (hasTwoHosts(request)) return twoHosts;
  if (path !== oneClickPath && isForeign(method, headers.origin, clientUrl)) {
    log.warn(
      { method, path },
      "refused a request with a foreign Origin; if it came from this site, set SITE_URL, or TRUSTED_PROXY_HOPS behind a proxy",
    );
    return foreign;
  }
  return undefined;
}

/**
 * Whether there is more than one Host header.
 * Node.js keeps the first; a proxy may have used another.
 */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === "host") hosts += 1;
  return hosts > 1;
}

function isPage(path: string): boolean {
  return !isApi(path) && !isBuiltFile(path);
}

/**
 * Whether a path belongs to Next.js and is not a built file.
 * Such as its image optimizer or its bare error page.
 */
function isOfFramework(url: string): boolean {
  if (!url.includes("/_")) return false;
  const path = URL.parse(`http://host${url}`)?.pathname ?? url;
  return path.startsWith("/_") && !isBuiltFile(path);
}

/**
 * Gives a page a Content-Security-Policy with a nonce, which it returns.
 * Next.js reads it from the request's head.
 */
function setPagePolicy(
  { headers }: IncomingMessage,
  response: ServerResponse,
  options: { isHttps: boolean; isDevelopment: boolean },
): string {
  const nonce = randomBytes(16).toString("base64");
  const policy = pagePolicy({ ...options, nonce });
  headers["content-security-policy"] = policy;
  response.setHeader("Content-Security-Policy", policy);
  return nonce;
}

function fail({ url }: IncomingMessage, response: ServerResponse, err: unknown): void {
  log.error({ err }, "a request could not be handled");
  if (!response.headersSent) send(response, bareReply(err instanceof TooLate ? tooBusy : unexpected, url));
  else if (!response.writableEnded) response.destroy(); // ended normally, the incomplete answer would look complete
}
