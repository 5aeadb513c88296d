import type { IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { bodyMaximumBytes } from "../lib/http/json-body.ts";
import { fieldsMaximum } from "../lib/http/multipart.ts";
import { authorsMaximum } from "../lib/import-uploads/kinds.ts";
import { log } from "../lib/logging/log.ts";
import { TooLate } from "../lib/observe/deadline.ts";
import { clientAddress, currentLocale, requestId, setStatus } from "../lib/request/current-request.ts";
import { createAppServer } from "../testing/app-server.ts";

interface Received {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  clientAddress: string;
  requestId: string | undefined;
  locale: string;
}

/** The requests that have reached the handler in place of Next.js. */
let received: Received[] = [];
let isStopping = false;
let busyStarts = 0;
let port = 0;
const { server, listen } = createAppServer({
  isStopping: () => isStopping,
  async handle(request, response) {
    if (request.url === "/hangs-up") request.socket.destroy();
    if (request.url === "/busy") {
      busyStarts += 1;
      const until = performance.now() + 20;
      while (performance.now() < until);
    }
    if (request.url === "/fails") throw new Error("unexpected");
    if (request.url === "/late") throw new TooLate("not done in time");
    if (request.url === "/fails-midway") {
      await new Promise((sent) => response.write("the first half", sent));
      throw new Error("unexpected");
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({
      url: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
      clientAddress: clientAddress(),
      requestId: requestId(),
      locale: currentLocale(),
    });
    if (request.url === "/nothing-here") setStatus(404);
    response.end("from Next.js");
  },
});

beforeAll(async () => {
  ({ port } = await listen(0, "127.0.0.1"));
});
afterAll(() => void server.close());
beforeEach(() => {
  received = [];
  isStopping = false;
});

/**
 * Sends bytes as they are.
 * Resolves to all data received before the connection ends.
 */
function send(...pieces: (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.setEncoding("utf8").on("data", (text) => {
      answer += text;
    });
    socket.on("close", () => resolve(answer)).on("error", reject);
    for (const piece of pieces) socket.write(piece);
  });
}

const head = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, "Host: blog.example", "Connection: close", ...headers].join("\r\n")}\r\n\r\n`;
const post = (path: string, body: string, ...headers: string[]) =>
  head(`POST ${path}`, `Content-Length: ${Buffer.byteLength(body)}`, ...headers) + body;
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const megabyte = "a".repeat(bodyMaximumBytes);
const chunked = "Transfer-Encoding: chunked";
const multipart = "Content-Type: Multipart/Form-Data; boundary=x";
const field = (name: string, value: string, parameters = "") =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${parameters}\r\n\r\n${value}\r\n`;
const formOf = (...fields: string[]) => `${fields.join("")}--x--\r\n`;

describe("requests that come at once", () => {
  const line = (path: string) => `GET ${path} HTTP/1.1\r\nHost: blog.example\r\n\r\n`;

  test("are started in several turns of the event loop, and /healthz is answered between them", async () => {
    const health = send(head("GET /healthz")).then(() => busyStarts);
    const busy = send(line("/busy").repeat(9) + head("GET /busy"));
    expect(await health).toBeLessThan(10);
    await busy;
    expect(busyStarts).toBe(10);
  });

  test("are not handled once their client has hung up", async () => {
    await send(line("/hangs-up") + line("/after"));
    await send(head("GET /later"));
    expect(received.map(({ url }) => url)).not.toContain("/after");
    expect(received.at(-1)?.url).toBe("/later");
  });
});

describe("a request that passes", () => {
  test("is handled in English by the API, and in the reader's language as a page", async () => {
    for (const path of ["/api/posts", "/api/posts/missing/score", "/lab"])
      await send(head(`GET ${path}`, "Accept-Language: fa", "Cookie: language=fa"));
    expect(received.map(({ url, locale }) => [url, locale])).toEqual([
      ["/api/posts", "en"],
      ["/api/posts/missing/score", "en"],
      ["/lab", "fa"],
    ]);
  });

  test("has the client's address, which no header can forge", async () => {
    await send(
      head("GET /", "X-Weir-Client-Address: 203.0.113.9", "X-Forwarded-For: 203.0.113.9, 192.0.2.7"),
    );
    expect(received[0]?.clientAddress).toBe("192.0.2.7");
    expect(received[0]?.headers["x-forwarded-for"]).toBeUndefined();
    expect(clientAddress()).toBe("unknown");
  });

  test("carries the address that it was sent to, as far as that can be trusted", async () => {
    await send(head("GET /", "X-Forwarded-Host: evil.example, shop.example", "X-Forwarded-Proto: https"));
    expect(received[0]?.headers).toMatchObject({
      "x-forwarded-host": "shop.example",
      "x-forwarded-proto": "https",
    });
  });

  test("is answered with the security headers, over https with HSTS", async () => {
    expect(await send(head("GET /"))).toMatch(/X-Content-Type-Options: nosniff/);
    expect(await send(head("GET /"))).not.toMatch(/Strict-Transport-Security/);
    expect(await send(head("GET /", "X-Forwarded-Proto: https"))).toMatch(
      /Strict-Transport-Security: max-age=[1-9]\d{6,}/,
    );
  });

  test("has no header of the framework's own", async () => {
    await send(head("GET /", "X-Middleware-Prefetch: 1", "Next-Resume: 1", "RSC: 1"));
    expect(received[0]?.headers).toMatchObject({ rsc: "1" });
    expect(Object.keys(received[0]?.headers ?? {}).join(" ")).not.toMatch(/middleware|resume/);
  });

  test.each(["garbage", "{}", "null", "%E0%A4%A", "%5B".repeat(4_000)])(
    "has no router state where Next.js cannot read it: %.12s",
    async (state) => {
      await send(head("GET /", "RSC: 1", `Next-Router-State-Tree: ${state}`));
      expect(received[0]?.headers).toMatchObject({ rsc: "1" });
      expect(received[0]?.headers).not.toHaveProperty("next-router-state-tree");
    },
  );

  test("keeps the router state of a page", async () => {
    const state = encodeURIComponent('["",{"children":["__PAGE__",{}]},null,"refetch"]');
    await send(head("GET /", "RSC: 1", `Next-Router-State-Tree: ${state}`));
    expect(received[0]?.headers).toHaveProperty("next-router-state-tree", state);
  });

  test("keeps its path, unless that is badly encoded: then it leads nowhere", async () => {
    await send(head("GET /posts/%D8%B3?q=%"));
    await send(head("GET /posts/%E0%A4%A?q=1?2"));
    expect(received.map(({ url }) => url)).toEqual(["/posts/%D8%B3?q=%", "/posts/%25E0%25A4%25A?q=1?2"]);
  });

  test("has an id, which its answer carries", async () => {
    expect(await send(head("GET /"))).toContain(`X-Request-Id: ${received[0]?.requestId}\r\n`);
    await send(head("GET /", "X-Request-Id: id-of-the-proxy"));
    expect(received[1]?.requestId).toBe("id-of-the-proxy");
  });

  test("gets the status that its page sets", async () =>
    expect(await send(head("GET /nothing-here"))).toMatch(/^HTTP\/1.1 404 /));

  test.each([
    ["fails", "/fails", /^HTTP\/1.1 500 .*because of an error/s],
    ["is not answered in time", "/late", /^HTTP\/1.1 503 .*Retry-After: 5\r\n.*Try again in a few seconds/s],
  ])("that %s is logged, and answered in words", async (_, path, answer) => {
    const logged = vi.spyOn(log, "error").mockImplementation(() => {});
    expect(await send(head(`GET ${path}`))).toMatch(answer);
    expect(logged).toHaveBeenCalledOnce();
    logged.mockRestore();
  });

  test("that gets no page is answered in the reader's language, and for the API in English", async () => {
    const logged = vi.spyOn(log, "error").mockImplementation(() => {});
    const answers = ["GET /fails", "GET /_global-error", "TRACE /api/posts"].map((line) =>
      send(head(line, "Accept-Language: fa")),
    );
    expect(await Promise.all(answers)).toEqual([
      expect.stringContaining("سایت به سبب خطایی"),
      expect.stringContaining("در این نشانی چیزی پیدا نشد."),
      expect.stringContaining('"detail":"TRACE is not supported here'),
    ]);
    logged.mockRestore();
  });

  test("that fails midway is cut off, without the end of a whole answer", async () => {
    const logged = vi.spyOn(log, "error").mockImplementation(() => {});
    expect(await send(head("GET /fails-midway", "RSC: 1"))).toMatch(/^HTTP\/1.1 200 .*the first half\r\n$/s);
    expect(logged).toHaveBeenCalledOnce();
    logged.mockRestore();
  });
});

describe("the Content-Security-Policy", () => {
  const policyOf = (answer: string) => /Content-Security-Policy: (.*)\r/.exec(answer)?.[1];

  test("of a page has a new nonce each time, which Next.js is given", async () => {
    const policies = [policyOf(await send(head("GET /"))), policyOf(await send(head("GET /")))];
    const nonces = policies.map((policy) => /script-src [^;]*'nonce-([\w+/]{22}==)'/.exec(policy ?? "")?.[1]);
    expect(nonces[0]).toBeTruthy();
    expect(nonces[0]).not.toBe(nonces[1]);
    expect(received.map(({ headers }) => headers["content-security-policy"])).toEqual(policies);
    expect(policies[0]).not.toMatch(/script-src [^;]*unsafe-/);
  });

  test("of a page over https upgrades requests", async () =>
    expect(policyOf(await send(head("GET /", "X-Forwarded-Proto: https")))).toContain(
      "upgrade-insecure-requests",
    ));

  test.each(["/api/posts", "/_next/static/x.js"])("of %s allows nothing", async (path) =>
    expect(policyOf(await send(head(`GET ${path}`)))).toContain("default-src 'none'"),
  );
});

describe("a body", () => {
  test("of the largest size passes whole, its length known or not", async () => {
    await send(post("/", megabyte));
    await send(head("POST /", chunked), chunk(megabyte), "0\r\n\r\n");
    expect(received.map(({ body }) => body === megabyte)).toEqual([true, true]);
  });

  test("in many chunks arrives in their order", async () => {
    const chunks = ["one ", "سلام ", "three"];
    await send(head("POST /", chunked), ...chunks.map(chunk), "0\r\n\r\n");
    expect(received[0]?.body).toBe(chunks.join(""));
  });

  test("of pasted ratings may have 4 MB", async () => {
    const almost = formOf(field("1_ratings", megabyte.repeat(4).slice(200)));
    expect(await send(post("/lab/ratings", almost, multipart))).toMatch(/^HTTP\/1.1 200 /);
    const larger = formOf(field("1_ratings", megabyte.repeat(4)));
    expect(await send(post("/lab/ratings?lane=ema", larger, multipart))).toMatch(
      /^HTTP\/1.1 413 .*at most 4 MB/s,
    );
    expect(await send(post("/lab", almost, multipart))).toMatch(/^HTTP\/1.1 413 .*at most 1 MB/s);
  });

  test("announced as too large is refused before it is sent", async () => {
    const answer = await send(
      head("POST /posts/new", `Content-Length: ${megabyte.length + 1}`),
      megabyte,
      "b",
    );
    expect(answer).toMatch(/^HTTP\/1.1 413 .*text\/plain.*at most 1 MB/s);
    expect(received).toEqual([]);
  });

  test("too large, sent by a browser, is refused with a page of instructions in its language", async () => {
    const tooLarge = (language: string) =>
      send(
        head(
          "POST /posts/new",
          `Content-Length: ${megabyte.length + 1}\r\nAccept: text/html,*/*\r\nAccept-Language: ${language}`,
        ),
      );
    expect(await tooLarge("en")).toMatch(
      /^HTTP\/1.1 413 .*text\/html.*lang="en".*You sent 1\.1 MB: at most 1 MB.*50,000 characters.*Go back: your browser should still have your text/s,
    );
    expect(await tooLarge("fa")).toMatch(/^HTTP\/1.1 413 .*lang="fa" dir="rtl".*۵۰٬۰۰۰ نویسه/s);
    expect(received).toEqual([]);
  });

  test("that grows too large is refused and never reaches Next.js", async () => {
    const tooMuch = [chunk(megabyte), chunk("b"), chunk(megabyte), "0\r\n\r\n"];
    const answer = await send(head("POST /api/posts", chunked), ...tooMuch);
    expect(answer).toMatch(/^HTTP\/1.1 413 .*application\/problem\+json.*"status":413/s);
    expect(received).toEqual([]);
  });
});

describe("a form", () => {
  const part = '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nسلام\r\n--x--\r\n';

  test("that can be read arrives whole", async () => {
    await send(post("/posts/new", part, multipart));
    await send(
      head("POST /posts/new", multipart, chunked),
      chunk(part.slice(0, 9)),
      chunk(part.slice(9)),
      "0\r\n\r\n",
    );
    await send(post("/posts/new", '[{"a":1}]', "Next-Action: 0"));
    expect(received.map(({ body }) => body)).toEqual([part, part, '[{"a":1}]']);
  });

  test.each([
    ["is not multipart", "not a form at all", multipart],
    ["is cut short", part.slice(0, 40), multipart],
    ["has no boundary", part, "Content-Type: multipart/form-data"],
    ["is empty", "", multipart],
    ["is of a script, and no JSON", "{", "Next-Action: 0"],
    ["is of a script, and no list", "{}", "Next-Action: 0"],
  ])("that %s is a 400", async (_, body, header) => {
    expect(await send(post("/login", body, header))).toMatch(/^HTTP\/1.1 400 .*form is incomplete/s);
    expect(received).toEqual([]);
  });

  test("at the API is the route's own business", async () => {
    await send(post("/api/posts", "no form", multipart));
    expect(received).toHaveLength(1);
  });
});

test("a form of an import with the most authors has few enough fields", () => {
  // Two for each author, and some hidden ones.
  expect(2 * authorsMaximum + 50).toBeLessThanOrEqual(fieldsMaximum);
});

describe("a form that would take long to parse is refused before it is parsed", () => {
  const file = '; filename="a.png"';
  const image = megabyte.repeat(5);
  const urlEncoded = "Content-Type: application/x-www-form-urlencoded";

  test.each([
    ["1,101 fields", "/login", formOf(field("a", "").repeat(1_101)), multipart],
    ["196,078 fields in 10 MB", "/account/media", formOf(field("a", "").repeat(196_078)), multipart],
    ["1,101 fields at the API", "/api/media", formOf(field("a", "").repeat(1_101)), multipart],
    ["1,101 fields in the address format", "/theme", "&a=".repeat(1_101), urlEncoded],
  ])("%s", async (_, path, body, type) => {
    expect(await send(post(path, body, type))).toMatch(/^HTTP\/1.1 413 .*too many fields: at most 1,100/s);
    expect(received).toEqual([]);
  });

  test.each([
    ["4 MB of JSON with an action", "/lab/ratings", `[${'"$D",'.repeat(500_000)}1]`, "Next-Action: 0"],
    ["JSON where images are sent", "/admin/settings", `[${'"$D",'.repeat(500_000)}1]`, "Next-Action: 0"],
    ["a text beside the ratings", "/lab/ratings", formOf(field("0", `${megabyte}b`)), multipart],
    ["a file that is not an image's", "/account/media", formOf(field("0", image, file)), multipart],
    ["two images", "/account/media", formOf(field("file", image, file).repeat(2)), multipart],
    ["a name that is given twice", "/account/media", formOf(field("file", image, '; name="0"')), multipart],
    ["a second head line", "/account/media", formOf(field("file", image, "\r\nX: y")), multipart],
  ])("%s over 1 MB", async (_, path, body, type) => {
    expect(await send(post(path, body, type))).toMatch(/^HTTP\/1.1 413 .*at most 1 MB/s);
    expect(received).toEqual([]);
  });

  test.each(["multipart/form-data; boundary=y; boundary=x", 'multipart/form-data; boundary="x\\y"'])(
    "a boundary that parsers read differently: %s",
    async (type) => {
      const answer = await send(post("/api/media", formOf(field("a", "")), `Content-Type: ${type}`));
      expect(answer).toMatch(/^HTTP\/1.1 400 .*form is incomplete/s);
      expect(received).toEqual([]);
    },
  );

  test.each([
    ["/account/media", field("alt", "A bridge") + field("file", image, file)],
    [
      "/admin/settings",
      field("_1_file", image, `${file}; filename*=utf-8''a.png\r\nContent-Type: image/png`),
    ],
    ["/api/media", field("file", image, "; filename=a.png")],
    ["/login", field("a", "").repeat(1_100)],
  ])("but neither one image nor 1,100 fields: %s", async (path, fields) => {
    const answer = await send(post(path, formOf(fields), multipart));
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe("a foreign, null or malformed Origin", () => {
  test.each(["https://evil.example", "http://blog.example:1", "https://blog.example", "null", "rubbish", ""])(
    "%j is a 403 for API and pages, and is logged with the request's id",
    async (origin) => {
      const warned = vi.spyOn(log, "warn").mockImplementation(() => {});
      expect(await send(post("/api/session", "{}", `Origin: ${origin}`))).toMatch(
        /^HTTP\/1.1 403 .*application\/problem\+json/s,
      );
      expect(await send(head("DELETE /api/posts/x", `Origin: ${origin}`))).toMatch(/^HTTP\/1.1 403 /);
      expect(await send(post("/login", "", `Origin: ${origin}`))).toMatch(/^HTTP\/1.1 403 .*text\/plain/s);
      expect(received).toEqual([]);
      expect(warned).toHaveBeenCalledTimes(3);
      warned.mockRestore();
    },
  );

  test("is neither our own, nor none, nor that of a request that only reads", async () => {
    await send(post("/login", "", "Origin: http://blog.example"));
    await send(post("/login", ""));
    await send(head("GET /", "Origin: https://evil.example"));
    expect(received).toHaveLength(3);
  });
});

describe("a request that nothing takes", () => {
  test.each([
    ["TRACE /api/posts", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"],
    ["PROPFIND /", "GET, HEAD, POST"],
    ["DELETE /login", "GET, HEAD, POST"],
    ["POST /_next/static/x.js", "GET, HEAD"],
    ["POST /icon.svg?x", "GET, HEAD"],
  ])("%s is a 405 that lists the methods", async (line, allowed) => {
    const answer = await send(head(line));
    expect(answer).toMatch(/^HTTP\/1.1 405 /);
    expect(answer).toContain(`Allow: ${allowed}\r\n`);
    expect(answer).toContain("X-Frame-Options: DENY");
    expect(received).toEqual([]);
  });

  test.each([
    "/_global-error",
    "/./_global-error?x",
    "/x/../_global-error",
    "/%2e/_global-error",
    "/_next/image?url=%2F%5C%5Cx&w=640&q=75",
    "/_next/data/x/index.json",
  ])("%s is Next.js' own: a 404", async (path) => {
    expect(await send(head(`GET ${path}`))).toMatch(/^HTTP\/1.1 404 .*no-store/s);
    expect(received).toEqual([]);
  });

  test("with an invalid Host is a 400", async () => {
    const answer = await send("GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1.1 400 .*not the name of a host/s);
    expect(received).toEqual([]);
  });

  test.each(["host: evil.example", "Host: blog.example"])("with a second %s is a 400", async (second) => {
    expect(await send(head("GET /", second))).toMatch(/^HTTP\/1.1 400 .*more than one Host/s);
    expect(received).toEqual([]);
  });
});

test.each([
  ["without a body leaves", "GET /_next/image HTTP/1.1\r\nHost: a\r\n\r\n", 2],
  ["whose body is still to come ends", "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n", 1],
])("a refused request %s its connection", async (_, refused, answers) => {
  const answer = await send(refused + (answers === 2 ? head("GET /") : "abc"));
  expect(answer.match(/^HTTP\/1\.1 /gm)).toHaveLength(answers);
});

describe("a request's target", () => {
  test.each([
    ["http://shop.example/posts/a?b=c", "/posts/a?b=c", "shop.example"],
    ["HTTP://shop.example:8080", "/", "shop.example:8080"],
    ["https://shop.example?q=1", "/?q=1", "shop.example"],
  ])("that is an absolute URL sets path and host: %s", async (target, url, host) => {
    await send(head(`GET ${target}`));
    expect(received[0]).toMatchObject({ url, headers: { host, "x-forwarded-host": host } });
  });

  test.each([
    "GET *",
    "OPTIONS *",
    "GET ftp://blog.example/",
    "GET http://user@blog.example/",
    "GET http:///",
    "POST posts",
  ])("of %s is a 400", async (line) => {
    expect(await send(head(line))).toMatch(/^HTTP\/1.1 400 .*X-Frame-Options: DENY/s);
    expect(received).toEqual([]);
  });
});

describe("a request that cannot be handled is answered with the security headers", () => {
  test.each([
    ["words", "Hello, are you there?\r\n\r\n", 400],
    ["no host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["headers without end", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}`, 431],
    ["a tunnel", "CONNECT blog.example:443 HTTP/1.1\r\nHost: blog.example\r\n\r\n", 405],
    ["an expectation", head("GET /", "Expect: the-unexpected"), 417],
  ])("%s", async (_, bytes, status) => {
    const answer = await send(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/X-Frame-Options: DENY/);
    expect(answer).toMatch(/Content-Security-Policy: default-src 'none'/);
    expect(received).toEqual([]);
  });

  test.each(["h2c", "websocket"])("but an upgrade to %s is answered as HTTP/1.1", async (protocol) => {
    const upgrade = `GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\n\r\n`;
    expect(await send(upgrade)).toMatch(/^HTTP\/1.1 200 .*from Next.js/s);
  });
});

describe("100-continue", () => {
  const announced = (bytes: number) =>
    head("POST /", "Expect: 100-continue", "Content-Type: text/plain", `Content-Length: ${bytes}`);

  test("is sent before a body is read", async () =>
    expect(await send(announced(2), "{}")).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /));

  test("is not sent for a body that is too large", async () =>
    expect(await send(announced(megabyte.length + 1))).toMatch(/^HTTP\/1.1 413 /));
});

test("answers GET /healthz itself, and refuses POST", async () => {
  const answer = await send(head("GET /healthz"));
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*Cache-Control: no-store.*\r\n\r\nok\n$/s);
  expect(await send(head("POST /healthz"))).toMatch(/^HTTP\/1\.1 405 .*Allow: GET, HEAD\r\n/s);
  expect(received).toEqual([]);
});

test("a stopping server reports it at /readyz, and handles everything else", async () => {
  isStopping = true;
  const answer = await send(head("GET /readyz"));
  expect(answer).toMatch(/^HTTP\/1\.1 503 .*Cache-Control: no-store.*"status":"stopping"/s);
  await send(head("GET /"));
  expect(received.map(({ url }) => url)).toEqual(["/"]);
});
