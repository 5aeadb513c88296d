// Over 200 lines: one server, and all requests that its copies may and may not answer.

import { scrypt } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { log } from "../lib/logging/log.ts";
import { metrics } from "../lib/observe/metrics.ts";
import { currentLocale, currentTheme, setStatus } from "../lib/request/current-request.ts";
import { countPageChange } from "../lib/request/page-changes.ts";
import { createAppServer } from "../testing/app-server.ts";
import { connectRaw } from "../testing/raw-http.ts";

/** The requests that have reached the handler in place of Next.js. */
let received: { method: string; url: string; headers: IncomingHttpHeaders }[] = [];
/** The content of the site's pages. */
let content = "";
let nowMs = 1_000_000;
/** Pages wait for it before they are sent. */
let gate: Promise<void> = Promise.resolve();
let afterRead: Promise<void> = Promise.resolve();
let port = 0;
/** The turn of the event loop, while a test counts them. */
let turn = 0;
/** How many busy requests have started in each turn. */
const startsByTurn = new Map<number, number>();

const megabyte = 2 ** 20;
const long = "A long text. ".repeat(200);

const { server, listen } = createAppServer({
  pageCacheBytes: megabyte,
  clock: () => nowMs,
  async handle(request, response) {
    const { method = "", url = "", headers } = request;
    received.push({ method, url, headers });
    if (url === "/api/busy") {
      startsByTurn.set(turn, (startsByTurn.get(turn) ?? 0) + 1);
      const until = performance.now() + 3;
      while (performance.now() < until);
    }
    await gate;
    const text = content;
    await afterRead;
    if (url.startsWith("/posts/fails")) throw new Error("unexpected");
    if (url === "/posts/aborts") {
      response.write("half a page");
      response.destroy();
      return;
    }
    if (url === "/posts/none") setStatus(404);
    if (url === "/posts/moved") response.statusCode = 307;
    if (url === "/posts/cookie") response.setHeader("Set-Cookie", "a=b");
    const isFeed = url === "/feed.xml";
    response.setHeader("Content-Type", isFeed ? "application/atom+xml" : "text/html; charset=utf-8");
    if (url === "/posts/json") response.setHeader("Content-Type", "application/json");
    response.setHeader("Vary", "rsc, Accept-Encoding");
    response.setHeader("Cache-Control", "private, no-store");
    const nonce = /'nonce-([^']+)'/.exec(String(headers["content-security-policy"]))?.[1];
    // The larger one has no room in the memory.
    const large = "x".repeat(url === "/posts/large" ? megabyte / 8 : url === "/posts/long" ? 110_000 : 0);
    const script = isFeed ? "" : `<script nonce="${nonce}"></script>`;
    response.end(
      `${headers.host} ${url} ${currentLocale()} ${currentTheme()} ${text}${long}${large}${script}`,
    );
  },
});

beforeAll(async () => {
  ({ port } = await listen(0, "127.0.0.1"));
});
afterAll(() => void server.close());
beforeEach(() => {
  countPageChange();
  received = [];
  content = "first";
  gate = Promise.resolve();
  afterRead = Promise.resolve();
  metrics().registry.resetMetrics();
});

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  raw: Buffer;
  text: string;
}

async function get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  const sent = httpRequest({
    port,
    host: "127.0.0.1",
    path,
    method,
    headers: { ...(!("host" in headers) && { Host: "blog.example" }), ...headers },
    agent: false,
  }).end();
  const [answer] = await once(sent, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const raw = Buffer.concat(chunks);
  const encoding = answer.headers["content-encoding"];
  const decoded = encoding === "br" ? brotliDecompressSync(raw) : encoding === "gzip" ? gunzipSync(raw) : raw;
  return { status: answer.statusCode, headers: answer.headers, raw, text: decoded.toString() };
}

const nonceOf = ({ headers }: Answer) =>
  /'nonce-([^']+)'/.exec(String(headers["content-security-policy"]))?.[1] ?? "no nonce";

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await nextTurn();
}

/** Resolves when this many requests wait for the page of another one. */
const untilWaiting = (count: number) => untilCounted("coalesced", count);
/** Resolves when pages were missing for this many requests. */
const untilMissed = (count: number) => untilCounted("miss", count);

async function untilCounted(result: string, count: number): Promise<void> {
  const counted = async () => {
    const { values } = await metrics().pageCache.get();
    return values.find(({ labels }) => labels.result === result)?.value;
  };
  await expect.poll(counted).toBe(count);
}

describe("a page for visitors", () => {
  test("is made once for all requests within a second", async () => {
    const answers = [await get("/posts/a"), await get("/posts/a"), await get("/posts/a")];
    expect(received).toHaveLength(1);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.text).toMatch(/^blog\.example \/posts\/a en undefined first/);
    expect(new Set(answers.map(({ headers }) => headers["x-request-id"])).size).toBe(3);
  });

  test("is made once for a hundred simultaneous requests", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const answers = Promise.all(Array.from({ length: 100 }, () => get("/posts/a")));
    await untilWaiting(99);
    resolve();
    expect(new Set((await answers).map(({ text }) => text)).size).toBe(1);
    expect(received).toHaveLength(1);
  });

  test("is made anew after a second", async () => {
    await get("/posts/a");
    content = "second";
    nowMs += 1_000;
    expect((await get("/posts/a")).text).toContain("first");
    nowMs += 1;
    expect((await get("/posts/a")).text).toContain("second");
  });

  test("is made anew in the background after half a second, while readers get the present one", async () => {
    await get("/posts/a");
    content = "second";
    nowMs += 499;
    expect((await get("/posts/a")).text).toContain("first");
    expect(received).toHaveLength(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    nowMs += 1;
    const present = [await get("/posts/a"), await get("/posts/a"), await get("/posts/a")];
    for (const { text } of present) expect(text).toContain("first");
    await expect.poll(() => received).toHaveLength(2);
    resolve();
    await expect.poll(async () => (await get("/posts/a")).text).toContain("second");
    nowMs += 1;
    expect((await get("/posts/a")).text).toContain("second");
    expect(received).toHaveLength(2);
  });

  test("is awaited when it is made in the background and the present one is over a second old", async () => {
    await get("/posts/a");
    content = "second";
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    nowMs += 500;
    await get("/posts/a");
    await expect.poll(() => received).toHaveLength(2);
    nowMs += 501;
    const answer = get("/posts/a");
    await untilWaiting(1);
    resolve();
    expect((await answer).text).toContain("second");
    expect(received).toHaveLength(2);
  });

  test("that was begun in the background before a change is not kept after it", async () => {
    await get("/posts/a");
    const { promise, resolve } = Promise.withResolvers<void>();
    afterRead = promise;
    nowMs += 500;
    await get("/posts/a");
    await expect.poll(() => received).toHaveLength(2);
    content = "second";
    countPageChange();
    const after = get("/posts/a");
    await untilMissed(2);
    resolve();
    expect((await after).text).toContain("second");
    expect((await get("/posts/a")).text).toContain("second");
    expect(received).toHaveLength(3);
  });

  test("stays for its second when the next one fails", async () => {
    const warnings = vi.spyOn(log, "warn").mockImplementation(() => {});
    await get("/posts/a");
    nowMs += 500;
    const failure = Promise.reject(new Error("unexpected"));
    failure.catch(() => {});
    afterRead = failure;
    await get("/posts/a");
    await expect.poll(() => received.length).toBeGreaterThan(1);
    await nextTurn();
    expect((await get("/posts/a")).text).toContain("first");
    afterRead = Promise.resolve();
    content = "second";
    nowMs += 501;
    expect((await get("/posts/a")).text).toContain("second");
    warnings.mockRestore();
  });

  test("counts its age from before it was made", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    afterRead = promise;
    const slow = get("/posts/a");
    await until(() => received.length === 1);
    nowMs += 1_001;
    resolve();
    expect((await slow).text).toContain("first");
    content = "second";
    expect((await get("/posts/a")).text).toContain("second");
  });

  test("is made once more, behind it, for all requests that come a second after its beginning", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    afterRead = promise;
    const slow = get("/posts/a");
    await until(() => received.length === 1);
    nowMs += 1_000;
    content = "second";
    const later = Promise.all([get("/posts/a"), get("/posts/a"), get("/posts/a")]);
    await untilWaiting(2);
    expect(received).toHaveLength(1);
    resolve();
    expect((await slow).text).toContain("first");
    for (const { text } of await later) expect(text).toContain("second");
    expect((await get("/posts/a")).text).toContain("second");
    expect(received).toHaveLength(2);
  });

  test("ends with a change", async () => {
    await get("/posts/a");
    content = "second";
    countPageChange();
    expect((await get("/posts/a")).text).toContain("second");
  });

  test("ends with a change while it is compressed", async () => {
    // Compression waits for the threads that these occupy.
    const busy = Array.from({ length: 8 }, () => promisify(scrypt)("", "", 64));
    const one = get("/posts/a", { "Accept-Encoding": "br" });
    const keptBytes = async () => (await metrics().pageCacheBytes.get()).values[0]?.value;
    await expect.poll(keptBytes, { interval: 1 }).toBeGreaterThan(0);
    countPageChange();
    content = "second";
    await Promise.all([one, ...busy]);
    expect((await get("/posts/a")).text).toContain("second");
  });

  test("that was read before a change is not kept after it, and no later request gets it", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    afterRead = promise;
    const before = get("/posts/a");
    await until(() => received.length === 1);
    content = "second";
    countPageChange();
    const after = get("/posts/a");
    await untilMissed(2);
    resolve();
    expect((await after).text).toContain("second");
    expect((await before).text).toContain("first");
    expect((await get("/posts/a")).text).toContain("second");
    expect(received).toHaveLength(2);
  });

  test("is made although its first client has gone, when another one waits", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /posts/a HTTP/1.1\r\nHost: blog.example\r\n\r\n");
    await until(() => received.length === 1);
    const other = get("/posts/a");
    socket.destroy();
    resolve();
    expect((await other).status).toBe(200);
    expect(received).toHaveLength(1);
  });

  test("is counted in the metrics", async () => {
    await get("/");
    await get("/");
    const text = await metrics().registry.metrics();
    expect(text).toContain('weir_page_cache_requests_total{result="miss"} 1');
    expect(text).toContain('weir_page_cache_requests_total{result="hit"} 1');
    expect(text).toMatch(/weir_page_cache_bytes [1-9]/);
  });
});

describe("a copy is not shared between", () => {
  test.each([
    ["hosts", { Host: "other.example" }],
    ["schemes", { "X-Forwarded-Proto": "https" }],
    ["languages", { "Accept-Language": "fa" }],
    ["chosen languages", { Cookie: "language=fa" }],
    ["colours", { Cookie: "theme=dark" }],
  ])("%s", async (_, headers) => {
    const one = await get("/");
    const other = await get("/", headers);
    expect(received).toHaveLength(2);
    expect(other.raw).not.toEqual(one.raw);
    expect((await get("/", headers)).raw).toEqual(other.raw);
    expect((await get("/")).raw).toEqual(one.raw);
    expect(received).toHaveLength(2);
  });

  test.each<[string, Record<string, string>]>([
    ["a name in capitals", { cookie: "Language=en", "accept-language": "fa" }],
    ["no value, then a language", { cookie: "language=; language=fa", "accept-language": "en" }],
    ["an unknown language, then a known one", { cookie: "language=xyz; language=fa" }],
    ["two languages", { cookie: "language=en; language=fa" }],
    ["a comma between cookies", { cookie: "a=1,language=en", "accept-language": "fa" }],
    ["no space between cookies", { cookie: "a=1;language=fa" }],
    ["a quoted language", { cookie: 'language="fa"' }],
    ["a language with its percent-encoding", { cookie: "language=%66a" }],
    ["a weight for the first of the browser's languages", { "accept-language": "fa;q=0, en" }],
    ["two colours", { cookie: "theme=light; theme=dark" }],
    ["colours with their percent-encoding", { cookie: "theme=%64ark" }],
    ["a proxy's headers", { "x-page-language": "fa", "x-page-theme": "dark" }],
    ["the end of the host's name", { host: "blog.exampleen" }],
    ["the end of the port", { host: "blog.example:80fa" }],
    ["colours at the end of the host's name", { host: "blog.exampledark" }],
  ])("a visitor and one who sends %s", async (_, headers) => {
    await get("/", headers);
    for (const [sent, expected] of [
      [{}, "blog.example / en undefined"],
      [{ "accept-language": "en" }, "blog.example / en undefined"],
      [{ "accept-language": "fa" }, "blog.example / fa undefined"],
      [{ cookie: "theme=dark" }, "blog.example / en dark"],
      [{ cookie: "theme=light; language=fa" }, "blog.example / fa light"],
      [{ host: "blog.example:80" }, "blog.example:80 / en undefined"],
      [{ host: "blog.example:80", "accept-language": "fa" }, "blog.example:80 / fa undefined"],
    ] satisfies [Record<string, string>, string][])
      expect((await get("/", sent)).text).toMatch(new RegExp(`^${expected} `));
  });

  test("values of parameters that the page reads, in any order", async () => {
    const paths = ["/?cursor=a&sort=top", "/?sort=top&cursor=a", "/?cursor=b&sort=top", "/?cursor=a"];
    for (const path of paths) await get(path);
    expect(received.map(({ url }) => url)).toEqual([
      "/?cursor=a&sort=top",
      "/?cursor=b&sort=top",
      "/?cursor=a",
    ]);
  });
});

describe("a copy is shared by", () => {
  test.each([
    "/posts/a?utm_source=x",
    "/posts/a?__proto__=1&constructor=2&nxtPslug=b&_rsc=3",
    "/posts/a?",
    "/posts/a?&&%%%",
  ])("%s", async (path) => {
    const { raw } = await get(path);
    expect((await get("/posts/a")).raw).toEqual(raw);
    expect(received.map(({ url }) => url)).toEqual(["/posts/a"]);
  });

  test.each([
    { "User-Agent": "Googlebot", Referer: "https://evil.example/" },
    { "X-Forwarded-Host": "blog.example", "X-Forwarded-For": "192.0.2.1" },
    { Host: "BLOG.example" },
    { "Accept-Language": "xx-yy, *;q=0" },
    { "Accept-Language": "en;q=0.5, de" },
    { Cookie: "analytics=1; language=xx; theme=neon" },
    {
      "X-Forwarded-Prefix": "/evil",
      "X-Original-URL": "/evil",
      "X-Rewrite-URL": "/evil",
      Forwarded: "host=evil",
    },
    { "X-Middleware-Prefetch": "1", "X-Matched-Path": "/evil", "X-Invoke-Path": "/evil" },
    { "X-HTTP-Method-Override": "POST", "Cache-Control": "no-cache", "If-Modified-Since": "now" },
  ])("requests with %j, of which it has nothing", async (headers) => {
    const { raw } = await get("/", headers);
    expect(raw.toString()).not.toContain("evil");
    expect((await get("/")).raw).toEqual(raw);
    expect(received).toHaveLength(1);
    expect(Object.keys(received[0]?.headers ?? {}).sort()).toEqual([
      "accept",
      "content-security-policy",
      "host",
      "user-agent",
      "x-forwarded-host",
      "x-forwarded-proto",
    ]);
  });
});

describe("neither gets nor makes a copy:", () => {
  test.each([
    ["a session", "/", { Cookie: "x=1; __Secure-authjs.session-token.0=abc" }],
    ["a visitor's stars", "/", { Cookie: "__Host-weir-stars=/posts/a" }],
    ["a browser that has logged in", "/", { Cookie: "weir-browser=x" }],
    ["a preview", "/", { Cookie: "__prerender_bypass=x" }],
    ["Authorization", "/", { Authorization: "Bearer x" }],
    ["Range", "/", { Range: "bytes=0-1" }],
    ["a part of a page", "/", { RSC: "1" }],
    ["a prefetch", "/", { "Next-Router-Prefetch": "1" }],
    ["a prefetch by the browser", "/", { "Sec-Purpose": "prefetch" }],
    ["a body", "/", { "Content-Length": "0" }],
    ["a notice", "/?done=abc", {}],
    ["a notice about a rating", "/posts/a?rating=abc", {}],
    ["a parameter twice", "/?cursor=a&cursor=b", {}],
    ["a search", "/?q=a", {}],
    ["a value that no link has", "/posts/a?counted=no", {}],
    ["another spelling of a path", "/posts/%61", {}],
    ["an encoded slash", "/posts/a%2Fb", {}],
    ["a double slash", "//posts/a", {}],
    ["dots", "/posts/..", {}],
    ["a slash at the end", "/posts/a/", {}],
    ["another case", "/Posts/a", {}],
    ["the page to write", "/posts/new", {}],
    ["the edit page", "/posts/a/edit", {}],
    ["an account with a suffix", "/account/x.css", {}],
    ["an account", "/account", {}],
    ["the log-in page", "/login", {}],
    ["the registration, with its challenge", "/register", {}],
    ["the lab, with its limit", "/lab", {}],
    ["the API", "/api/posts", {}],
    ["metrics", "/metrics", {}],
  ])("%s", async (_, path, headers) => {
    await get(path, headers);
    await get(path, headers);
    expect(received).toHaveLength(2);
    const plain = path.split("?")[0] ?? "/";
    const visitor = ["/", "/posts/a"].includes(plain) ? await get(plain) : undefined;
    expect(received).toHaveLength(visitor ? 3 : 2);
    await get(path, headers);
    expect(received).toHaveLength(visitor ? 4 : 3);
  });

  test("a POST", async () => {
    await get("/posts/a");
    await get("/posts/a", {}, "POST");
    expect(received.map(({ method }) => method)).toEqual(["GET", "POST"]);
  });

  test("a GET with a body, whose bytes are not read as a second request", async () => {
    await get("/posts/a");
    const smuggled = "GET /posts/b HTTP/1.1\r\nHost: blog.example\r\n\r\n";
    const connection = await connectRaw(
      port,
      `GET /posts/a HTTP/1.1\r\nHost: blog.example\r\nConnection: close\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
    );
    expect((await connection.closed()).match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(received.map(({ url }) => url)).toEqual(["/posts/a", "/posts/a"]);
  });

  test.each(["Host: blog.example\r\nHost: evil.example", "Host: a b"])("%j is a 400", async (hosts) => {
    await get("/");
    const connection = await connectRaw(port, `GET / HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`);
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe("an answer that is not kept:", () => {
  test.each(["/posts/none", "/posts/moved", "/posts/json", "/posts/cookie", "/posts/large"])(
    "%s",
    async (path) => {
      await get(path);
      const before = received.length;
      await get(path);
      expect(received.length).toBeGreaterThan(before);
    },
  );

  test("a missing page is made once for all waiting requests", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const answers = Promise.all([get("/posts/none"), get("/posts/none"), get("/posts/none")]);
    await untilWaiting(2);
    resolve();
    expect((await answers).map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(received).toHaveLength(1);
    content = "second";
    expect((await get("/posts/none")).text).toContain("second");
  });

  test("with a cookie is not shared either", async () => {
    const answers = await Promise.all([get("/posts/cookie"), get("/posts/cookie")]);
    expect(answers.map(({ headers }) => headers["set-cookie"])).toEqual([["a=b"], ["a=b"]]);
    expect(received.filter(({ headers }) => !headers["user-agent"])).toHaveLength(2);
    expect(new Set(answers.map(nonceOf)).size).toBe(2);
  });

  test.each(["/posts/fails", "/posts/aborts"])(
    "%s, which each request then fails by itself",
    async (path) => {
      const errors = vi.spyOn(log, "error").mockImplementation(() => {});
      const warnings = vi.spyOn(log, "warn").mockImplementation(() => {});
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      const requests = Promise.allSettled([get(path), get(path), get(path)]);
      await untilWaiting(2);
      resolve();
      const answers = await requests;
      for (const answer of answers)
        expect(answer.status === "rejected" || answer.value.status === 500).toBe(true);
      expect(received).toHaveLength(4);
      errors.mockRestore();
      warnings.mockRestore();
    },
  );
});

describe("a copy is sent", () => {
  test.each([
    ["br", "gzip, deflate, br, zstd"],
    ["gzip", "gzip"],
    ["gzip", "br;q=0, gzip;q=0.5"],
    [undefined, "identity"],
    [undefined, "br;q=0, *;q=0"],
    [undefined, "\u00ff,,;q=x"],
  ])("as %s to a client that accepts %j", async (encoding, accepted) => {
    const plain = await get("/");
    const answer = await get("/", { "Accept-Encoding": accepted });
    expect(answer.headers["content-encoding"]).toBe(encoding);
    expect(answer.text).toBe(plain.text);
    expect(answer.headers["content-length"]).toBe(String(answer.raw.length));
    expect(received).toHaveLength(1);
  });

  test("with the headers of the page, Vary among them", async () => {
    const { headers } = await get("/", { "X-Forwarded-Proto": "https" });
    expect(headers).toMatchObject({
      vary: "rsc, Accept-Encoding, Cookie, Accept-Language",
      "cache-control": "private, no-store",
      "content-type": "text/html; charset=utf-8",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "strict-transport-security": expect.stringContaining("max-age"),
      "content-security-policy": expect.stringContaining("upgrade-insecure-requests"),
    });
  });

  test("without a body to HEAD", async () => {
    const whole = await get("/");
    const head = await get("/", {}, "HEAD");
    expect(head.raw).toHaveLength(0);
    expect({ ...head.headers, "x-request-id": "", date: "", connection: "" }).toEqual({
      ...whole.headers,
      "x-request-id": "",
      date: "",
      connection: "",
    });
    expect(received.map(({ method }) => method)).toEqual(["GET"]);
  });

  test("to a HEAD before any GET", async () => {
    expect((await get("/", {}, "HEAD")).headers["content-length"]).toMatch(/^[1-9]/);
    expect((await get("/")).text).toContain("first");
    expect(received).toHaveLength(1);
  });

  test("in parallel on one connection, in the order of the requests", async () => {
    const line = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nHost: blog.example\r\n${more}\r\n`;
    const { closed } = await connectRaw(
      port,
      line("/posts/a") + line("/posts/b") + line("/posts/a", "Connection: close\r\n"),
    );
    expect((await closed()).match(/blog\.example \/posts\/\w/g)).toEqual(
      ["a", "b", "a"].map((each) => `blog.example /posts/${each}`),
    );
  });
});

describe("an unchanged page", () => {
  test("is a 304 for the ETag of any copy, without a policy of another nonce", async () => {
    const first = await get("/");
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    countPageChange();
    const second = await get("/", { "If-None-Match": `"other", ${etag}` });
    expect(second.status).toBe(304);
    expect(second.raw).toHaveLength(0);
    expect(second.headers).toMatchObject({ etag, vary: first.headers.vary, "x-frame-options": "DENY" });
    for (const name of ["content-security-policy", "link", "content-type", "content-length"])
      expect(second.headers).not.toHaveProperty(name);
    expect(nonceOf(await get("/"))).not.toBe(nonceOf(first));
  });

  test("is not a 304 when it has changed, or for another language", async () => {
    const etag = String((await get("/")).headers.etag);
    expect((await get("/", { "If-None-Match": etag, "Accept-Language": "fa" })).status).toBe(200);
    content = "second";
    countPageChange();
    expect((await get("/", { "If-None-Match": etag })).status).toBe(200);
  });

  test("is not a 304 for a reader with a session", async () => {
    const etag = String((await get("/")).headers.etag);
    const cookie = { Cookie: "authjs.session-token=x" };
    expect((await get("/", { "If-None-Match": etag, ...cookie })).status).toBe(200);
    expect((await get("/", { "If-None-Match": "*", ...cookie })).status).toBe(200);
  });
});

describe("the nonce", () => {
  test("is another one for each page, and each copy", async () => {
    const nonces = [nonceOf(await get("/")), nonceOf(await get("/posts/a"))];
    countPageChange();
    nonces.push(nonceOf(await get("/")));
    expect(new Set(nonces).size).toBe(3);
  });

  test("of a copy is unknown until all that the copy shows was read", async () => {
    const first = await get("/");
    // An author who has seen it writes it into a post, or a visitor into a search.
    content = nonceOf(first);
    countPageChange();
    for (const path of ["/", `/?q=${encodeURIComponent(nonceOf(first))}`, `/?junk=${nonceOf(first)}`]) {
      const after = await get(path);
      expect(after.text).toContain(content);
      expect(after.text.split(nonceOf(after))).toHaveLength(2);
      expect(nonceOf(after)).not.toBe(content);
    }
  });

  test("is never sent before its page is complete", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    afterRead = promise;
    const { socket } = await connectRaw(port, "GET / HTTP/1.1\r\nHost: blog.example\r\n\r\n");
    await until(() => received.length === 1);
    await nextTurn();
    expect(socket.bytesRead).toBe(0);
    resolve();
    await once(socket, "data");
    socket.destroy();
  });
});

describe("the memory", () => {
  const bytes = async () => (await metrics().pageCacheBytes.get()).values[0]?.value ?? 0;

  test("is bounded under requests for ever new pages, hosts and languages", async () => {
    for (let number = 0; number < 400; number += 1) {
      await get(`/?cursor=${number}`, {
        Host: `${number}.example`,
        "Accept-Language": `x${number}`,
        "Accept-Encoding": "gzip",
      });
      expect(await bytes()).toBeLessThanOrEqual(megabyte);
    }
    expect(await bytes()).toBeGreaterThan(megabyte / 2);
  });

  test("is reported without copies that have ended", async () => {
    await get("/");
    expect(await bytes()).toBeGreaterThan(0);
    countPageChange();
    await get("/posts/none");
    expect(await bytes()).toBe(0);
  });

  test("counts compressed copies", async () => {
    await get("/");
    const before = await bytes();
    const { raw } = await get("/", { "Accept-Encoding": "br" });
    expect(await bytes()).toBe(before + raw.length);
    await get("/", { "Accept-Encoding": "br" });
    expect(await bytes()).toBe(before + raw.length);
  });
});

test("a client that does not read holds up no other", async () => {
  await get("/posts/long");
  const { socket } = await connectRaw(
    port,
    "GET /posts/long HTTP/1.1\r\nHost: blog.example\r\n\r\n".repeat(50),
  );
  socket.pause();
  await untilCounted("hit", 50);
  expect((await get("/posts/long")).raw.length).toBeGreaterThan(100_000);
  expect(received).toHaveLength(1);
  // More was answered than it has read.
  expect(socket.bytesRead).toBeLessThan(50 * 100_000);
  socket.destroy();
});

test("an answer from memory leaves less of a turn of the event loop to starts of requests", async () => {
  await get("/");
  await get("/");
  let isCounting = true;
  const counting = (async () => {
    for (; isCounting; turn += 1) await nextTurn();
  })();
  const busy = "GET /api/busy HTTP/1.1\r\nHost: blog.example\r\n";
  const last = `${busy}Connection: close\r\n\r\n`;
  await (await connectRaw(port, `${busy}\r\n`.repeat(20) + last)).closed();
  isCounting = false;
  await counting;
  expect(Math.max(...startsByTurn.values())).toBeLessThanOrEqual(2);
});
