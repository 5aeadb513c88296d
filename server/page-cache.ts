// Over 200 lines: finding, rendering, encoding and sending share one copy.

/**
 * A cache of visitors' rendered pages, in memory.
 *
 * Simultaneous requests for one page are coalesced: one render, for which all of them wait. A copy is at most a second
 * old, counted from the start of its render, and is invalidated by the next change of pages' content. As with
 * stale-while-revalidate, a request for a copy older than half a second gets it at once and starts the next render in
 * the background. Each page has at most two renders at a time.
 */
import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
// Next.js replaces the global setImmediate, and delays its callbacks while it renders.
import { setImmediate } from "node:timers";
import { LRUCache } from "lru-cache";
import { listsEtag } from "../lib/http/etag.ts";
import { log } from "../lib/logging/log.ts";
import { throttle } from "../lib/logging/throttle.ts";
import { TooLate, within } from "../lib/observe/deadline.ts";
import { metrics, setPageCacheBytes } from "../lib/observe/metrics.ts";
import type { CachedPage } from "./cached-routes.ts";
import { compress, type Encoding, encodingFor } from "./compression.ts";
import { requestIdHeader } from "./request-log.ts";
import { makeMaximumMs as defaultMakeMaximumMs } from "./whole-page.ts";

/** The age at which a copy ends. */
export const maximumAgeMs = 1_000;
/** The age from which a request for a copy starts the next render. */
export const renewalAgeMs = maximumAgeMs / 2;
/** How long after an answer from memory the cache has readers. */
const readersMs = 100;
/** How many ids of requests a log line names. */
const loggedIdsMaximum = 20;
/** The largest copy, as a part of the memory for all. */
const largestShare = 1 / 8;
/** Memory of a copy besides its bodies and its key. */
const overheadBytes = 4_096;

/** A longer body is not copied for each answer. */
const oneWriteMaximumBytes = 64 * 1_024;

const keptTypes = /^(?:text\/html|application\/(?:(?:atom\+)?xml|feed\+json))(?:;|$)/;
/** Headers that belong to one connection or one body. */
const ownHeaders = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "date",
  "etag",
  "keep-alive",
  "transfer-encoding",
  "vary",
]);
/**
 * Headers of a page that stay out of a 304.
 * A browser would replace those of its stored page by them, and their nonce is another one.
 */
const headersOfBody = new Set(["content-security-policy", "content-type", "link"]);
/** Fields of `Vary`, besides those that the framework names. */
const variesBy = ["Cookie", "Accept-Language", "Accept-Encoding"];

/** A page as the framework rendered it. */
export interface MadePage {
  status: number;
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer;
  /** The nonce of its Content-Security-Policy. */
  nonce: string;
}

interface EncodedPage {
  /** Names and values in turn, as `writeHead` takes them. */
  headers: string[];
  bytes: number;
  /**
   * In Latin-1, unless it is long.
   * node:http sends a string in one write with the head.
   */
  body: Buffer | string;
}

interface Copy {
  page: MadePage;
  /** The request id in the log lines of its render. */
  id: string;
  /** The time before its page was made. */
  begunAt: number;
  /** Names and values in turn, of each encoding. */
  headers: string[];
  /** Undefined for a page that is not kept. */
  etag: string | undefined;
  headersUnchanged: string[];
  encoded: Map<Encoding, EncodedPage>;
  encoding: Map<Encoding, Promise<EncodedPage>>;
}

/** A page that is being made, or will be when the one before it has ended. */
interface Render {
  /**
   * Undefined when the page cannot be shared.
   * "late" when it took too long.
   */
  copy: Promise<Copy | "late" | undefined>;
  /** Undefined until it has begun. */
  begun: { at: number; changes: number } | undefined;
  /** Whether it is made for requests to come. */
  isRenewal: boolean;
  /** The ids of the requests that wait for it. */
  waiting: Map<ServerResponse, string>;
}

export interface PageCacheOptions {
  /** The maximum memory of all copies together. */
  maximumBytes: number;
  /** Resolves when the next page may be made. */
  mayStart: () => Promise<void>;
  /** Makes a page for visitors, under an id of its own, until `signal` is aborted. */
  make: (page: CachedPage, id: string, signal: AbortSignal) => Promise<MadePage>;
  /** The number of changes of pages' content, so far. */
  changes: () => number;
  clock?: (() => number) | undefined;
  /** How long requests wait, before one at a time makes the page for itself. */
  waitMaximumMs?: number | undefined;
  /** How long a page may take before it is given up. */
  makeMaximumMs?: number | undefined;
}

interface PageCache {
  /**
   * Answers a request by a copy, which is made when there is none.
   * Returns undefined when it answers by the end of this turn of the event loop; `failed` gets the error if it cannot.
   * When no page could be shared or all took too long, `makeAlone` must answer. It resolves when its render has ended.
   */
  answer(
    page: CachedPage,
    request: IncomingMessage,
    response: ServerResponse,
    context: { id: string; makeAlone: () => Promise<void>; failed: (error: unknown) => void },
  ): Promise<void> | undefined;
  /** Whether it has answered from memory within the last tenth of a second. */
  hasReaders(): boolean;
}

export function createPageCache({
  maximumBytes,
  mayStart,
  make,
  changes,
  clock = () => performance.now(),
  waitMaximumMs = 2_000,
  makeMaximumMs = defaultMakeMaximumMs,
}: PageCacheOptions): PageCache {
  const copies = new LRUCache<string, Copy>({
    maxSize: maximumBytes,
    maxEntrySize: Math.ceil(maximumBytes * largestShare),
    sizeCalculation: bytesOf,
    ttl: maximumAgeMs,
    ttlResolution: 0,
    // So that an idle server does not keep the memory.
    ttlAutopurge: true,
    perf: { now: clock },
  });
  /** The latest of each page. */
  const renders = new Map<string, Render>();
  /** Pages that a request which has waited too long makes for itself. */
  const madeAlone = new Set<string>();
  let answeredAt = Number.NEGATIVE_INFINITY;
  let changesSeen = changes();
  const reportFailure = throttle((failure: { err: unknown; requestId: string; waiting: string[] }) =>
    log.warn(failure, "a page could not be made for all visitors"),
  );
  setPageCacheBytes(() => copies.calculatedSize);

  function find(key: string): Copy | undefined {
    const now = changes();
    if (now !== changesSeen) {
      changesSeen = now;
      copies.clear();
    }
    return copies.get(key);
  }

  /**
   * Resolves to undefined when no page could be shared or the client has gone.
   * To "alone" when the request may make a page that takes long for itself.
   */
  async function waitFor(
    page: CachedPage,
    response: ServerResponse,
    id: string,
  ): Promise<Copy | "alone" | undefined> {
    let render: Render | undefined;
    response.once("close", () => render?.waiting.delete(response));
    const isFirst = freshRender(page.key) === undefined;
    metrics().pageCache.inc({ result: isFirst ? "miss" : "coalesced" });
    for (;;) {
      const awaited = freshRender(page.key) ?? start(page);
      render = awaited;
      awaited.waiting.set(response, id);
      let copy: Awaited<Render["copy"]> | "waiting";
      do {
        copy = await within(waitMaximumMs, () => awaited.copy).catch(waitingIfTooLate);
        if (copy !== "late" && copy !== "waiting") return copy;
        if (response.destroyed) return undefined;
        // One at a time: together with the shared page two are made.
        if (!madeAlone.has(page.key)) {
          madeAlone.add(page.key);
          return "alone";
        }
      } while (copy === "waiting");
    }
  }

  /** Makes the next copy while readers get the present one. */
  function renew(page: CachedPage): void {
    if (!freshRender(page.key)) start(page).isRenewal = true;
  }

  /** The page as it is made now, or will be. */
  function freshRender(key: string): Render | undefined {
    const latest = renders.get(key);
    return latest && isFresh(latest.begun) ? latest : undefined;
  }

  /** Makes a page when the one before has ended. */
  function start(page: CachedPage): Render {
    const before = renders.get(page.key);
    const render: Render = {
      copy: Promise.resolve(undefined),
      begun: undefined,
      isRenewal: false,
      waiting: new Map(),
    };
    renders.set(page.key, render);
    render.copy = begin(page, render, before).finally(() => {
      if (renders.get(page.key) === render) renders.delete(page.key);
    });
    return render;
  }

  function isFresh(begun: Render["begun"]): boolean {
    return !begun || (begun.changes === changes() && clock() - begun.at < maximumAgeMs);
  }

  async function begin(page: CachedPage, render: Render, before: Render | undefined): Render["copy"] {
    await before?.copy;
    await mayStart();
    // Clients that have all gone cost no page.
    if (!render.isRenewal && render.waiting.size === 0) return undefined;
    const begun = { at: clock(), changes: changes() };
    render.begun = begun;
    const id = randomUUID();
    const giveUp = new AbortController();
    try {
      const copy = copyOf(await within(makeMaximumMs, () => make(page, id, giveUp.signal)), begun.at, id);
      if (copy?.etag !== undefined && isFresh(begun)) keep(page.key, copy);
      return copy;
    } catch (err) {
      giveUp.abort();
      const waiting = [...render.waiting.values()].slice(0, loggedIdsMaximum);
      reportFailure({ err, requestId: id, waiting });
      return err instanceof TooLate ? "late" : undefined;
    }
  }

  function keep(key: string, copy: Copy): void {
    find(key); // drops copies from before a change
    copies.delete(key); // its size is measured only when it is added
    copies.set(key, copy, { start: copy.begunAt });
  }

  /** The copy in an encoding, compressed once for all its readers. */
  async function encode(key: string, copy: Copy, encoding: Encoding): Promise<EncodedPage> {
    const running = copy.encoding.get(encoding) ?? encodePage(copy, encoding);
    copy.encoding.set(encoding, running);
    const encoded = await running;
    if (!copy.encoded.has(encoding)) {
      copy.encoded.set(encoding, encoded);
      // Counts its bytes, unless the copy has ended meanwhile.
      if (find(key) === copy) keep(key, copy);
    }
    return encoded;
  }

  /** The cached copy of a page; a stale one is renewed in the background. */
  function presentCopy(page: CachedPage): Copy | undefined {
    const copy = find(page.key);
    if (!copy) return undefined;
    metrics().pageCache.inc({ result: "hit" });
    answeredAt = clock();
    if (answeredAt - copy.begunAt >= renewalAgeMs) renew(page);
    return copy;
  }

  /** Answers by a copy or by a page that is to be made. */
  async function answerLater(
    page: CachedPage,
    present: Copy | undefined,
    request: IncomingMessage,
    response: ServerResponse,
    { id, makeAlone }: { id: string; makeAlone: () => Promise<void> },
  ): Promise<void> {
    const copy = present ?? (await waitFor(page, response, id));
    if (copy === "alone") {
      // The place is taken until the render has ended, although the client may leave before.
      await makeAlone().finally(() => madeAlone.delete(page.key));
      return;
    }
    if (!copy) return makeAlone();
    send(copy, await encode(page.key, copy, encodingFor(request.headers["accept-encoding"])), response, id);
  }

  return {
    answer(page, request, response, context) {
      const copy = presentCopy(page);
      const encoded = copy?.encoded.get(encodingFor(request.headers["accept-encoding"]));
      if (!copy || !encoded) return answerLater(page, copy, request, response, context);
      atEndOfTurn(() => send(copy, encoded, response, context.id), context.failed);
      return undefined;
    },
    hasReaders: () => clock() - answeredAt < readersMs,
  };
}

/** The answers that are sent at the end of this turn of the event loop. */
const unsent: { send: () => void; failed: (error: unknown) => void }[] = [];

/**
 * Sends the answers of one turn together.
 * A write wakes a client that sleeps, which takes longer than the rest of the answer. While it is awake, the other
 * writes are spared that.
 */
function atEndOfTurn(send: () => void, failed: (error: unknown) => void): void {
  if (unsent.push({ send, failed }) === 1) setImmediate(sendAll);
}

function sendAll(): void {
  for (const { send, failed } of unsent.splice(0))
    try {
      send();
    } catch (error) {
      failed(error);
    }
}

function send(copy: Copy, encoded: EncodedPage, response: ServerResponse, id: string): void {
  const { headers, method } = response.req;
  if (copy.etag !== undefined && matches(headers["if-none-match"], copy.etag))
    response.writeHead(304, [...copy.headersUnchanged, requestIdHeader, id]).end();
  else {
    // By the id of an error, its lines in the log are found.
    const loggedId = copy.page.status < 500 ? id : copy.id;
    response.writeHead(copy.page.status, [...encoded.headers, requestIdHeader, loggedId]);
    response.end(method === "HEAD" ? undefined : encoded.body, "latin1");
  }
}

function waitingIfTooLate(error: unknown): "waiting" {
  if (error instanceof TooLate) return "waiting";
  throw error;
}

/** A page for all readers who wait for it; undefined for one that sets a cookie. */
function copyOf(page: MadePage, begunAt: number, id: string): Copy | undefined {
  const headerOf = (wanted: string) => page.headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  if (headerOf("set-cookie") !== undefined || headerOf("content-encoding") !== undefined) return undefined;
  const isKept = page.status === 200 && keptTypes.test(headerOf("content-type") ?? "");
  const etag = isKept ? etagOf(page) : undefined;
  const headers = page.headers.filter(([name]) => !ownHeaders.has(name.toLowerCase()));
  headers.push(["Vary", withVariesBy(headerOf("vary"))]);
  if (etag !== undefined) headers.push(["ETag", etag]);
  const unchanged = headers.filter(([name]) => !headersOfBody.has(name.toLowerCase()));
  return {
    page,
    id,
    begunAt,
    headers: headers.flat(),
    etag,
    headersUnchanged: unchanged.flat(),
    encoded: new Map(),
    encoding: new Map(),
  };
}

function withVariesBy(vary = ""): string {
  const named = vary.split(",").map((name) => name.trim());
  const missing = variesBy.filter((name) => !named.some((each) => each.toLowerCase() === name.toLowerCase()));
  return [...named, ...missing].filter(Boolean).join(", ");
}

/**
 * The same for pages that differ in their nonce only.
 * A browser that stored one has its policy with its own nonce.
 */
function etagOf({ body, nonce }: MadePage): string {
  const hash = createHash("sha256");
  for (const part of body.toString("latin1").split(nonce)) hash.update(part, "latin1");
  return `W/"${hash.digest("base64url").slice(0, 22)}"`;
}

async function encodePage({ page, headers }: Copy, encoding: Encoding): Promise<EncodedPage> {
  const compressed = await compress(page.body, encoding, "copy");
  return compressed
    ? encodedPage([...headers, "Content-Encoding", encoding], compressed)
    : encodedPage(headers, page.body);
}

function encodedPage(headers: readonly string[], body: Buffer): EncodedPage {
  const bytes = body.length;
  return {
    headers: [...headers, "Content-Length", String(bytes)],
    bytes,
    body: bytes > oneWriteMaximumBytes ? body : body.toString("latin1"),
  };
}

function bytesOf({ page, encoded }: Copy, key: string): number {
  let bytes = overheadBytes + 2 * key.length + page.body.length;
  for (const { body, bytes: own } of encoded.values()) if (body !== page.body) bytes += own;
  return bytes;
}

/** Whether an If-None-Match header matches this ETag. */
function matches(header: string | undefined, etag: string): boolean {
  return header?.trim() === "*" || listsEtag(header, etag);
}
