/** `nginx.conf` in the real nginx, in front of a node that counts its requests. */
import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from "node:http";
import { request as requestTls } from "node:https";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { pageChoices } from "../server/page-choices.ts";
import { type CountingNode, page, startCountingNode } from "../testing/counting-node.ts";
import { type NginxServer, startNginx } from "../testing/nginx-server.ts";

let node: CountingNode;
let nginx: NginxServer;

/**
 * Pages stay fresh, so that a busy machine refreshes none meanwhile.
 * `refreshEachSecond` is for tests of that.
 */
beforeEach(async () => {
  node = await startCountingNode();
  nginx = await startNginx([node.address], { pagesFreshFor: "1h" });
  return async () => {
    await stopNginx();
    await node.stop();
  };
});

async function refreshEachSecond() {
  await stopNginx();
  nginx = await startNginx([node.address]);
}

/** The log is read before it is removed: in no test may nginx log an error. */
async function stopNginx() {
  const errors = nginx.errorLog();
  await nginx.stop();
  expect(errors).toBe("");
}

/**
 * Sends a request on a connection of its own.
 * After a request that caused a refresh, the same connection would wait for it.
 */
function get(path: string, headers: Record<string, string> = {}, method = "GET") {
  return answerTo(request(nginx.origin + path, { method, headers, agent: false }).end());
}

async function answerTo(sent: ClientRequest) {
  const [answer]: IncomingMessage[] = await once(sent, "response");
  if (!answer) throw new Error("A response is given");
  const bytes = await buffer(answer);
  return { status: answer.statusCode, text: bytes.toString(), bytes, headers: answer.headers };
}

/**
 * Repeats the request until the answer is another than `text`.
 * Then the cached page has been refreshed.
 */
async function next(path: string, text: string) {
  for (;;) {
    const answer = await get(path);
    if (answer.text !== text) return answer;
    await sleep(20);
  }
}

test("simultaneous requests for a page that is not cached yet cost the node one", async () => {
  // A HEAD is answered from the same page.
  const requests = ["HEAD", ...Array(50).fill("GET")].map((method) =>
    request(`${nginx.origin}/posts/one`, { method, agent: false }).end(),
  );
  const allSent = Promise.all(requests.map((sent) => once(sent, "finish")));
  node.answer((_, response, count) => void allSent.then(() => page(response, `page ${count}`)));
  const [head, ...answers] = await Promise.all(requests.map(answerTo));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(["200 page 1"]));
  expect(head?.status).toBe(200);
  expect(node.requests).toHaveLength(1);
  expect((await get("/posts/one?page=2")).text).toBe("page 2");
});

test("a page is cached for a second, and browsers still get no-store", async () => {
  await refreshEachSecond();
  const first = await get("/");
  expect(first.headers["cache-control"]).toContain("no-store");
  // A page that was kept for good would end in a failure.
  const second = await next("/", "page 1");
  expect(second.text).toMatch(/^page [23]$/);
});

test("while one request fetches the next page, all visitors get the last", async () => {
  await refreshEachSecond();
  expect((await get("/")).text).toBe("page 1");
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  node.answer((_, response, count) => void held.then(() => page(response, `page ${count}`)));
  // The requests keep the page in the cache, and one of them finds it stale.
  while (node.requests.length < 2) {
    expect((await get("/")).text).toBe("page 1");
    await sleep(20);
  }
  const meanwhile = await Promise.all(Array.from({ length: 50 }, () => get("/")));
  expect(new Set(meanwhile.map(({ text }) => text))).toEqual(new Set(["page 1"]));
  expect(node.requests).toHaveLength(2);
  release();
  expect((await next("/", "page 1")).text).toBe("page 2");
});

test.each<[string, Record<string, string>]>([
  ["a session", { cookie: "theme=dark; authjs.session-token=abc" }],
  ["a session under https", { cookie: "__Secure-authjs.session-token=abc" }],
  ["a long session", { cookie: "__Secure-authjs.session-token.0=abc; __Secure-authjs.session-token.1=def" }],
  ["an authorization", { authorization: "Bearer abc" }],
  ["the first step of a log-in", { cookie: "weir-log-in=abc" }],
  ["the first step of a log-in under https", { cookie: "__Secure-weir-log-in=abc" }],
  ["a link to a new password", { cookie: "weir-reset=abc" }],
  ["chosen stars", { cookie: "weir-stars=%2Fposts%2Fone%3Fstars%3D4" }],
  ["chosen stars under https", { cookie: "__Host-weir-stars=%2Fposts%2Fone%3Fstars%3D4" }],
])("a request with %s never gets a cached page, and its page is not cached", async (_, headers) => {
  expect((await get("/")).text).toBe("page 1");
  expect((await get("/", headers)).text).toBe("page 2");
  expect((await get("/", headers)).text).toBe("page 3");
  expect((await get("/", headers, "HEAD")).status).toBe(200);
  expect(node.requests.at(-1)?.headers).toMatchObject(headers);
  // The first response for a page is theirs, and not shown to the next visitor.
  expect((await get("/mine", headers)).text).toBe("page 5");
  expect((await get("/mine")).text).toBe("page 6");
});

test("a page is cached once per language, in which the node makes it", async () => {
  node.answer(({ headers }, response) => page(response, String(headers["x-page-language"])));
  const text = async (headers: Record<string, string> = {}) => (await get("/", headers)).text;
  expect(await text()).toBe("site");
  expect(await text({ "accept-language": "fa-IR,en;q=0.5" })).toBe("fa");
  expect(await text({ "accept-language": "en-GB" })).toBe("en");
  expect(await text({ "accept-language": "fa" })).toBe("fa");
  expect(await text({ "accept-language": "tlh, fa" })).toBe("site");
  // The choice counts before the browser's language, and shares the page of those who prefer it.
  expect(await text({ "accept-language": "en", cookie: "language=fa" })).toBe("fa");
  expect(node.requests).toHaveLength(3);
});

test.each<[string, Record<string, string>]>([
  ["a name in capitals", { cookie: "Language=en", "accept-language": "fa" }],
  ["no value, then a language", { cookie: "language=; language=fa", "accept-language": "en" }],
  ["an unknown language, then a known one", { cookie: "language=xyz; language=fa" }],
  ["two languages", { cookie: "language=en; language=fa" }],
  ["a comma between cookies", { cookie: "a=1,language=en", "accept-language": "fa" }],
  ["a tab between cookies", { cookie: "a=1;\tlanguage=fa", "accept-language": "en" }],
  ["no space between cookies", { cookie: "a=1;language=fa" }],
  ["a space behind the name", { cookie: "language =en", "accept-language": "fa" }],
  ["a quoted language", { cookie: 'language="fa"' }],
  ["a language with its percent-encoding", { cookie: "language=%66a" }],
  ["a weight for the first of the browser's languages", { "accept-language": "fa;q=0, en" }],
  ["colours in capitals", { cookie: "Theme=dark" }],
  ["no value, then colours", { cookie: "theme=; theme=dark" }],
  ["two colours", { cookie: "theme=light; theme=dark" }],
  ["colours with their percent-encoding", { cookie: "theme=%64ark" }],
  ["a space behind the name of the colours", { cookie: "theme =dark" }],
  ["the headers that nginx sends", { "x-page-language": "fa", "x-page-theme": "dark" }],
  ["the end of the host's name", { host: "blog.exampleen" }],
  ["the end of the port", { host: "blog.example:80fa" }],
  ["colours at the end of the host's name", { host: "blog.exampledark" }],
])("a visitor cannot change the page of others by %s", async (_, headers) => {
  node.answer((request, response) => {
    const { locale, theme = "device" } = pageChoices(request.headers, { trustedHops: 1, siteLocale: "en" });
    page(response, `${request.headers.host} ${locale} ${theme}`);
  });
  const text = async (path: string, sent: Record<string, string>) =>
    (await get(path, { host: "blog.example", ...sent })).text;
  await text("/", headers);
  for (const [sent, expected] of [
    [{}, "blog.example en device"],
    [{ "accept-language": "en" }, "blog.example en device"],
    [{ "accept-language": "fa" }, "blog.example fa device"],
    [{ cookie: "theme=dark" }, "blog.example en dark"],
    [{ cookie: "theme=light; language=fa" }, "blog.example fa light"],
    [{ host: "blog.example:80" }, "blog.example:80 en device"],
    [{ host: "blog.example:80", "accept-language": "fa" }, "blog.example:80 fa device"],
  ] satisfies [Record<string, string>, string][])
    expect(await text("/", sent)).toBe(expected);
});

test("the page to register on, with its challenge, is never cached", async () => {
  expect((await get("/register")).text).toBe("page 1");
  expect((await get("/register")).text).toBe("page 2");
  expect((await get("/register?next=/posts/one")).text).toBe("page 3");
});

test("a response that sets a cookie is never cached", async () => {
  node.answer((_, response, count) =>
    page(response, `page ${count}`, { "Set-Cookie": "authjs.session-token=secret" }),
  );
  expect((await get("/")).text).toBe("page 1");
  expect((await get("/")).text).toBe("page 2");
});

test.each<[string, Record<string, string>, string]>([
  ["RSC", { rsc: "1" }, "/"],
  ["the router's state", { "next-router-state-tree": "x" }, "/"],
  ["a prefetch", { "next-router-prefetch": "1" }, "/"],
  ["a segment's prefetch", { "next-router-segment-prefetch": "/_tree" }, "/"],
  ["a part's address", {}, "/?_rsc=abc"],
])("a part of a page is neither served as a page nor cached: %s", async (_, headers, path) => {
  expect((await get("/")).text).toBe("page 1");
  expect((await get(path, headers)).text).toBe("page 2");
  expect((await get(path, headers)).text).toBe("page 3");
  expect((await get("/")).text).not.toMatch(/[23]$/);
});

test.each(["application/json", "text/plain", "text/x-component", undefined])(
  "does not cache an answer that is not a page: %s",
  async (type) => {
    node.answer((_, response, count) => {
      if (type) response.setHeader("Content-Type", type);
      response.end(`answer ${count}`);
    });
    expect((await get("/")).text).toBe("answer 1");
    expect((await get("/")).text).toBe("answer 2");
  },
);

test("the feed and the sitemap are cached", async () => {
  for (const type of ["application/atom+xml; charset=utf-8", "application/xml"]) {
    node.answer((_, response) => page(response, type, { "Content-Type": type }));
    await get(`/${type.length}`);
    const before = node.requests.length;
    expect((await get(`/${type.length}`)).text).toBe(type);
    expect(node.requests).toHaveLength(before);
  }
});

test("nginx's own answers carry the security headers, and a node's carry only its own", async () => {
  const headersOf = async (path: string, options: RequestOptions = {}) =>
    (await answerTo(request(nginx.origin + path, { agent: false, ...options }).end())).headers;
  node.answer((_, response) =>
    page(response, "a page", {
      "Content-Security-Policy": "default-src 'self'",
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "SAMEORIGIN",
    }),
  );
  for (let count = 0; count < 2; count += 1)
    expect(await headersOf("/")).toMatchObject({
      "content-security-policy": "default-src 'self'",
      "x-content-type-options": "nosniff",
      "x-frame-options": "SAMEORIGIN",
    });
  const own = async (path: string, options?: RequestOptions) =>
    expect(await headersOf(path, options), path).toMatchObject({
      "content-security-policy": expect.stringContaining("default-src 'none'"),
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "same-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
    });
  await own("/metrics");
  await own(`/?q=${"x".repeat(9_000)}`);
  await own("/", { headers: { cookie: `a=${"x".repeat(9_000)}` } });
  for (const path of ["/login", "/api/posts"])
    await own(path, { method: "POST", headers: { "content-length": 2_000_000 } });
  await node.stop();
  for (const path of ["/other", "/api/posts"]) await own(path);
});

describe("with TLS", () => {
  let secure: NginxServer;
  beforeEach(async () => {
    secure = await startNginx([node.address], { addressHeader: "X-Test-Address", tls: true });
    return () => secure.stop();
  });
  const getSecurely = (path: string) =>
    // Its certificate is signed by itself.
    answerTo(requestTls(`${secure.tlsOrigin}${path}`, { agent: false, rejectUnauthorized: false }).end());
  const plainly = (path: string, headers: Record<string, string>) =>
    answerTo(request(secure.origin + path, { agent: false, headers }).end());

  test("nginx's own answers carry HSTS, and a node's carry it once", async () => {
    node.answer((_, response) =>
      page(response, "a page", {
        "X-Content-Type-Options": "nosniff",
        "Strict-Transport-Security": "max-age=1",
      }),
    );
    expect((await getSecurely("/")).headers["strict-transport-security"]).toBe("max-age=1");
    expect(node.requests[0]?.headers["x-forwarded-proto"]).toBe("https");
    const own = { "strict-transport-security": "max-age=31536000", "x-frame-options": "DENY" };
    expect((await getSecurely("/metrics")).headers).toMatchObject(own);
    await node.stop();
    expect((await getSecurely("/other")).headers).toMatchObject(own);
    expect((await plainly("/metrics", {})).headers).not.toHaveProperty("strict-transport-security");
  });

  test("redirects a plain request, except this machine's health check and a certificate's challenge", async () => {
    const visitor = { host: "blog.example", "x-test-address": "192.0.2.1" };
    const redirected = await plainly("/posts/one?a=b", visitor);
    expect(redirected).toMatchObject({
      status: 308,
      headers: { location: "https://blog.example/posts/one?a=b" },
    });
    expect(node.requests).toHaveLength(0);
    expect((await plainly("/healthz", {})).status).toBe(200);
    expect((await getSecurely("/.well-known/acme-challenge/nothing")).status).toBe(404);
    expect(node.requests.map(({ url }) => url)).toEqual(["/healthz"]);
  });

  test("redirects to another port when visitors use that for TLS", async () => {
    const settings = { addressHeader: "X-Test-Address", tls: true, httpsPort: 8443 };
    const other = await startNginx([node.address], settings);
    onTestFinished(() => other.stop());
    const headers = { host: "blog.example:8080", "x-test-address": "192.0.2.1" };
    const { status, headers: answered } = await answerTo(
      request(`${other.origin}/posts/one?a=b`, { agent: false, headers }).end(),
    );
    expect(status).toBe(308);
    expect(answered.location).toBe("https://blog.example:8443/posts/one?a=b");
  });
});

test("a request with two Host headers is a 400", async () => {
  const { hostname, port } = new URL(nginx.origin);
  const socket = connect(Number(port), hostname);
  socket.end("GET / HTTP/1.1\r\nHost: blog.example\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
  expect((await buffer(socket)).toString()).toMatch(/^HTTP\/1\.1 400 .*X-Frame-Options: DENY/s);
  expect(node.requests).toHaveLength(0);
});

describe("one address is limited, with an answer that explains it,", () => {
  let limited: NginxServer;
  beforeEach(async () => {
    limited = await startNginx([node.address], { addressHeader: "X-Test-Address" });
    return () => limited.stop();
  });
  const send = (address = "192.0.2.1") =>
    answerTo(
      request(`${limited.origin}/api/posts`, {
        agent: false,
        headers: { "x-test-address": address },
      }).end(),
    );

  test.each<[string, first: string, same: string[], other: string[]]>([
    ["from an address", "192.0.2.1", [], ["192.0.2.2"]],
    ["from a network of IPv6", "2001:db8:1:2::1", ["2001:db8:1:2:ffff::"], ["2001:db8:1:3::1"]],
    ["from a network with zeros in its name", "2001:db8::1", ["2001:db8::2:3:4:5"], ["2001:db8:0:1::1"]],
    ["from an IPv4 address in IPv6 notation", "::ffff:192.0.2.1", [], ["::ffff:192.0.2.2"]],
  ])("in simultaneous requests %s", async (_, first, same, other) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    node.answer((_, response, count) => {
      if (count > 100) page(response, "at once");
      else void released.then(() => page(response, "late"));
    });
    const waiting = Array.from({ length: 100 }, () => send(first));
    await expect.poll(() => node.requests.length).toBe(100);
    const meanwhile = [];
    for (const address of [first, ...same, ...other]) meanwhile.push((await send(address)).status);
    release();
    expect(meanwhile).toEqual([429, ...same.map(() => 429), ...other.map(() => 200)]);
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  test.each<[string, (number: number) => string, same: string, other: string]>([
    ["/24", (number) => `192.0.2.${number}`, "192.0.2.255", "192.0.3.1"],
    [
      "/24 in IPv6 notation",
      (number) => `::ffff:192.0.2.${number}`,
      "::ffff:192.0.2.255",
      "::ffff:192.0.3.1",
    ],
    ["/48", (number) => `2001:db8:1:${number}::1`, "2001:db8:1:ffff::1", "2001:db8:2::1"],
  ])("and so is its network, at 400 simultaneous requests, a %s", async (_, address, same, other) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    node.answer((_, response, count) => {
      if (count > 400) page(response, "at once");
      else void released.then(() => page(response, "late"));
    });
    const waiting = Array.from({ length: 400 }, (_, index) => send(address(1 + Math.floor(index / 80))));
    await expect.poll(() => node.requests.length).toBe(400);
    const meanwhile = [(await send(same)).status, (await send(other)).status];
    release();
    expect(meanwhile).toEqual([429, 200]);
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  test("in its rate", async () => {
    const refusals = async () => {
      const answers = await Promise.all(Array.from({ length: 60 }, () => send()));
      return answers.filter(({ status }) => status !== 200);
    };
    let refused = await refusals();
    while (refused.length === 0) refused = await refusals();
    expect(node.requests.length).toBeGreaterThanOrEqual(200);
    expect(refused[0]?.headers).toMatchObject({
      "retry-after": "1",
      "cache-control": "no-store",
      "content-type": "application/problem+json",
      "x-frame-options": "DENY",
    });
    expect(JSON.parse(refused[0]?.text ?? "")).toMatchObject({ status: 429 });
  });
});

test("a page cached for one host is not served for another", async () => {
  const under = async (host: string) => (await get("/", { host })).text;
  expect(await under("blog.example")).toBe("page 1");
  expect(await under("evil.example")).toBe("page 2");
  expect(await under("blog.example")).toBe("page 1");
  expect(node.requests.map(({ headers }) => [headers.host, headers["x-forwarded-host"]])).toEqual([
    ["blog.example", "blog.example"],
    ["evil.example", "evil.example"],
  ]);
});

test("the API and a node's health are never cached", async () => {
  for (const path of ["/api/posts", "/api/posts/one/score", "/healthz"]) {
    const before = node.requests.length;
    await get(path);
    await get(path);
    expect(node.requests.length - before, path).toBe(2);
  }
});

test("built files are cached by their Cache-Control, for users and visitors alike", async () => {
  node.answer((_, response, count) =>
    page(response, `file ${count}`, { "Cache-Control": "public, max-age=31536000, immutable" }),
  );
  expect((await get("/_next/static/a.js")).text).toBe("file 1");
  expect((await get("/_next/static/a.js", { cookie: "authjs.session-token=abc" })).text).toBe("file 1");
  node.answer((_, response) => page(response, "no such file", {}, 404));
  expect((await get("/_next/static/b.js")).status).toBe(404);
  expect((await get("/_next/static/b.js")).status).toBe(404);
  expect(node.requests).toHaveLength(3);
});

test.each(["/metrics", "/readyz", "/metrics/", "/metrics?x=1", "//metrics", "/%6detrics", "/x/..%2fmetrics"])(
  "%s is not there from outside",
  async (path) => {
    expect((await get(path)).status).toBe(404);
    expect(node.requests).toHaveLength(0);
  },
);

test("an outage is not hidden behind a cached page", async () => {
  await refreshEachSecond();
  expect((await get("/")).text).toBe("page 1");
  node.answer((_, response) => page(response, "out of order", {}, 503));
  expect((await next("/", "page 1")).status).toBe(503);
  node.answer((_, response) => page(response, "back again"));
  expect(await next("/", "out of order")).toMatchObject({ status: 200, text: "back again" });
  await node.stop();
  const gone = await next("/", "back again");
  expect(gone.status).toBe(502);
});

test("the access log has the fate of a request, and no address, query or cookie", async () => {
  await get("/posts/one?q=secret", { cookie: "a=secret", "x-forwarded-for": "192.0.2.9" });
  expect(await nginx.cacheUse("/posts/one", 1)).toEqual(["MISS"]);
  expect(nginx.accessLog()).not.toMatch(/secret|192\.0\.2\.9|"127\.0\.0\.1"/);
});

test("a long page is compressed for browsers that accept it, and cached once", async () => {
  node.answer((_, response) => page(response, "long ".repeat(1_000)));
  const compressed = await get("/", { "accept-encoding": "gzip" });
  expect(compressed.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(compressed.bytes)).toHaveLength(5_000);
  expect((await get("/", { "accept-encoding": "identity" })).bytes).toHaveLength(5_000);
  expect(node.requests).toHaveLength(1);
  expect(node.requests[0]?.headers["accept-encoding"]).toBeUndefined();
});
