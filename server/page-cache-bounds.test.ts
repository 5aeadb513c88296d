/** Bounds on the pages that are made at once, and on the wait for them. */
import { expect, test, vi } from "vitest";
import { log } from "../lib/logging/log.ts";
import type { CachedPage } from "./cached-routes.ts";
import { CapturedResponse, requestFor } from "./captured-response.ts";
import { createPageCache, type MadePage, type PageCacheOptions } from "./page-cache.ts";

const page: CachedPage = {
  key: "page",
  protocol: "http",
  host: "blog.example",
  locale: "en",
  theme: undefined,
  acceptsHtml: true,
  url: "/",
};

/** So long that a busy machine ends no wait. */
const patientMs = 600_000;

/** A cache, and all pages that it has begun to make. */
function cacheWith(options: Partial<PageCacheOptions> = {}) {
  const begun: { id: string; signal: AbortSignal; end: (body: string) => void; fail: () => void }[] = [];
  let running = 0;
  let runningMaximum = 0;
  const cache = createPageCache({
    maximumBytes: 2 ** 20,
    mayStart: async () => {},
    changes: () => 0,
    // The library takes 0 for no time.
    clock: () => 1,
    waitMaximumMs: patientMs,
    makeMaximumMs: patientMs,
    async make(_, id, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<MadePage>();
      const end = (text: string) =>
        resolve({
          status: 200,
          headers: [["Content-Type", "text/html"]],
          body: Buffer.from(text),
          nonce: "n",
        });
      begun.push({ id, signal, end, fail: () => reject(new Error("unexpected")) });
      signal.addEventListener("abort", () => reject(signal.reason));
      running += 1;
      runningMaximum = Math.max(runningMaximum, running);
      return promise.finally(() => {
        running -= 1;
      });
    },
    ...options,
  });
  /**
   * Its answer resolves to the page's text.
   * To undefined when the visitor makes it, which ends with `endOwn`.
   */
  function visit(id = "visitor") {
    const request = requestFor("/", {});
    const response = new CapturedResponse(request);
    const { promise: answer, resolve, reject } = Promise.withResolvers<string | undefined>();
    const own = Promise.withResolvers<void>();
    const makeAlone = () => {
      resolve(undefined);
      return own.promise;
    };
    const answered = async () => {
      await cache.answer(page, request, response, { id, makeAlone, failed: reject });
      resolve((await response.body).toString());
    };
    answered().catch(reject);
    return { answer, response, endOwn: own.resolve };
  }
  return { cache, begun, visit, runningMaximum: () => runningMaximum };
}

async function untilBegun(begun: readonly unknown[], count: number): Promise<void> {
  await expect.poll(() => begun, { interval: 1 }).toHaveLength(count);
}

test("makes one page at a time when each is out of date before it is made", async () => {
  let changes = 0;
  const { begun, visit, runningMaximum } = cacheWith({ changes: () => changes });
  const answers = [visit().answer];
  for (let round = 1; round <= 5; round += 1) {
    await untilBegun(begun, round);
    changes += 1;
    answers.push(visit().answer, visit().answer);
    begun[round - 1]?.end(`page ${round}`);
  }
  await untilBegun(begun, 6);
  begun[5]?.end("page 6");
  // Each visitor gets a page that was begun after the last change before the visit.
  expect(await Promise.all(answers)).toEqual([1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6].map((each) => `page ${each}`));
  expect(runningMaximum()).toBe(1);
});

test("lets one request at a time make a slow page for itself, and the others wait", async () => {
  const { begun, visit } = cacheWith({ waitMaximumMs: 20 });
  const visits = [visit(), visit(), visit()];
  const alone: (typeof visits)[number][] = [];
  for (const each of visits) void each.answer.then((text) => text === undefined && alone.push(each));
  await untilBegun(alone, 1);
  // When its render has ended, the next one may.
  alone[0]?.endOwn();
  await untilBegun(alone, 2);
  begun[0]?.end("shared");
  const texts = await Promise.all(visits.map(({ answer }) => answer));
  expect(texts.filter((text) => text === "shared")).toHaveLength(1);
  expect(begun).toHaveLength(1);
});

test("gives up a page that does not end, and makes it once more for all waiting clients", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const { begun, visit, runningMaximum } = cacheWith({ makeMaximumMs: 50 });
  const answers = [visit("one").answer, visit("two").answer, visit("three").answer];
  await untilBegun(begun, 2);
  expect(begun[0]?.signal.aborted).toBe(true);
  begun[1]?.end("second");
  const texts = await Promise.all(answers);
  expect(texts.filter((text) => text === undefined)).toHaveLength(1);
  expect(texts.filter((text) => text === "second")).toHaveLength(2);
  expect(begun).toHaveLength(2);
  expect(runningMaximum()).toBe(1);
  warn.mockRestore();
});

test("logs pages that fail at most once a second", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const { begun, visit } = cacheWith();
  for (const round of [1, 2, 3]) {
    const { answer } = visit();
    await untilBegun(begun, round);
    begun[round - 1]?.fail();
    expect(await answer).toBeUndefined();
  }
  expect(warn).toHaveBeenCalledTimes(1);
  warn.mockRestore();
});

test("listens once for a client that leaves, however many pages it waits for", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const { begun, visit } = cacheWith({ makeMaximumMs: 5 });
  const visits = [visit(), visit()];
  // One makes it for itself, and the other waits for one page after the other.
  await expect.poll(() => begun.length, { interval: 1 }).toBeGreaterThan(4);
  for (const { response } of visits) expect(response.listenerCount("close")).toBe(1);
  for (const { response } of visits) response.destroy();
  await Promise.all(visits.map(({ answer }) => answer));
  warn.mockRestore();
});

test("takes no place for a client that has gone while it waited", async () => {
  const { begun, visit } = cacheWith({ waitMaximumMs: 20 });
  const gone = visit();
  await untilBegun(begun, 1);
  gone.response.destroy();
  expect(await gone.answer).toBeUndefined();
  expect(await visit().answer).toBeUndefined();
});

test("logs a page that fails once, under its own id, with the ids of all waiting requests", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const { begun, visit } = cacheWith();
  const answers = [visit("one").answer, visit("two").answer];
  await untilBegun(begun, 1);
  begun[0]?.fail();
  expect(await Promise.all(answers)).toEqual([undefined, undefined]);
  expect(warn.mock.calls).toEqual([
    [
      { err: expect.any(Error), requestId: begun[0]?.id, waiting: ["one", "two"] },
      "a page could not be made for all visitors",
    ],
  ]);
  expect(["one", "two"]).not.toContain(begun[0]?.id);
  warn.mockRestore();
});

test("an answer from memory that cannot be sent fails alone among those of its turn", async () => {
  const { begun, visit } = cacheWith();
  const first = visit();
  await untilBegun(begun, 1);
  begun[0]?.end("page");
  await first.answer;
  const visits = [visit(), visit(), visit()];
  visits[1]?.response.writeHead(200);
  const answers = await Promise.allSettled(visits.map(({ answer }) => answer));
  expect(answers).toEqual([
    { status: "fulfilled", value: "page" },
    { status: "rejected", reason: expect.objectContaining({ code: "ERR_HTTP_HEADERS_SENT" }) },
    { status: "fulfilled", value: "page" },
  ]);
});

test("has readers for a tenth of a second after an answer from memory", async () => {
  let now = 1_000;
  const { cache, begun, visit } = cacheWith({ clock: () => now });
  const first = visit();
  await untilBegun(begun, 1);
  begun[0]?.end("page");
  await first.answer;
  expect(cache.hasReaders()).toBe(false);
  await visit().answer;
  now = 1_099;
  expect(cache.hasReaders()).toBe(true);
  now = 1_100;
  expect(cache.hasReaders()).toBe(false);
});
