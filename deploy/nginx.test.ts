/** `nginx.conf` in the real nginx, in front of a node that counts its requests. */
import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from "node:http";
import { request as requestTls } from "node:https";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type NginxServer, startNginx } from "../scripts/cluster/start-nginx.ts";
import { type CountingNode, page, startCountingNode } from "../testing/counting-node.ts";
import { selfSignedCertificate } from "../testing/self-signed-certificate.ts";

let node: CountingNode;
let nginx: NginxServer;

beforeEach(async () => {
  node = await startCountingNode();
  nginx = await startNginx([node.address]);
  return async () => {
    await stopNginx();
    await node.stop();
  };
});

/** The log is read before it is removed: in no test may nginx log a critical error. */
async function stopNginx() {
  const errors = nginx.errorLog();
  await nginx.stop();
  expect(errors).toBe("");
}

/** Sends a request on a connection of its own. */
function get(path: string, headers: Record<string, string> = {}, method = "GET") {
  return answerTo(request(nginx.origin + path, { method, headers, agent: false }).end());
}

async function answerTo(sent: ClientRequest) {
  const [answer]: IncomingMessage[] = await once(sent, "response");
  if (!answer) throw new Error("A response is given");
  const bytes = await buffer(answer);
  return { status: answer.statusCode, text: bytes.toString(), bytes, headers: answer.headers };
}

test("every request goes to a node, which keeps visitors' pages itself", async () => {
  for (const path of [
    "/",
    "/posts/one",
    "/posts/one",
    "/feed.xml",
    "/register",
    "/api/posts",
    "/healthz",
    "/",
  ])
    await get(path);
  expect(node.requests).toHaveLength(8);
});

test("a page is passed on as the node sent it, with its encoding, ETag and policy", async () => {
  const sent = {
    "Content-Encoding": "br",
    "Content-Security-Policy": "default-src 'self'",
    "Cache-Control": "private, no-store",
    ETag: 'W/"one"',
    Vary: "Cookie, Accept-Encoding",
    "X-Content-Type-Options": "nosniff",
  };
  node.answer((_, response) => page(response, "compressed", sent));
  const { headers, text } = await get("/", { "accept-encoding": "gzip, br", "if-none-match": 'W/"one"' });
  expect(text).toBe("compressed");
  for (const [name, value] of Object.entries(sent)) expect(headers[name.toLowerCase()]).toBe(value);
  expect(node.requests[0]?.headers).toMatchObject({
    "accept-encoding": "gzip, br",
    "if-none-match": 'W/"one"',
  });
});

test("only a node answers 304 for a page's ETag, not nginx", async () => {
  node.answer((_, response) => page(response, "a page", { ETag: 'W/"one"' }));
  expect((await get("/", { "if-none-match": 'W/"one"' })).status).toBe(200);
  node.answer((_, response) =>
    page(response, "", { ETag: 'W/"one"', "X-Content-Type-Options": "nosniff" }, 304),
  );
  const unchanged = await get("/", { "if-none-match": 'W/"one"' });
  expect(unchanged.status).toBe(304);
  expect(unchanged.headers).not.toHaveProperty("content-security-policy");
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
    secure = await startNginx([node.address], {
      addressHeader: "X-Test-Address",
      tls: selfSignedCertificate(),
    });
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
    const settings = { addressHeader: "X-Test-Address", tls: selfSignedCertificate(), httpsPort: 8443 };
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

  test("by its rate of requests", async () => {
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

test("a node gets the host that the visitor sent", async () => {
  await get("/", { host: "blog.example", "x-forwarded-host": "evil.example" });
  expect(node.requests.map(({ headers }) => [headers.host, headers["x-forwarded-host"]])).toEqual([
    ["blog.example", "blog.example"],
  ]);
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

test("answers 502 without a node", async () => {
  expect((await get("/")).text).toBe("page 1");
  await node.stop();
  expect((await get("/")).status).toBe(502);
});

test("the access log has the fate of a request, and no address, query or cookie", async () => {
  await get("/posts/one?q=secret", { cookie: "a=secret", "x-forwarded-for": "192.0.2.9" });
  await expect.poll(() => nginx.accessLog()).toContain('"path":"/posts/one"');
  expect(nginx.accessLog()).not.toMatch(/secret|192\.0\.2\.9|"127\.0\.0\.1"/);
});

test.each([
  ["a page for one reader", "/", { cookie: "theme=dark; __Secure-authjs.session-token.0=abc" }],
  ["a built file", "/_next/static/a.js", {}],
])("nginx compresses %s, for browsers that accept it", async (_, path, headers) => {
  node.answer((_request, response) =>
    page(response, "long ".repeat(1_000), { "Cache-Control": "public, max-age=60" }),
  );
  const compressed = await get(path, { "accept-encoding": "gzip", ...headers });
  expect(compressed.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(compressed.bytes)).toHaveLength(5_000);
  expect((await get(path, { "accept-encoding": "identity", ...headers })).bytes).toHaveLength(5_000);
  for (const request of node.requests) expect(request.headers["accept-encoding"]).toBeUndefined();
});
