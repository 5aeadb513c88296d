import { createServer, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bodyMaximumBytes } from "./body-limit.ts";
import { clientAddress } from "./client-address.ts";
import { installFrontDoor } from "./front-door.ts";

/** What the server behind the door has been given. */
let received: { url: string; headers: IncomingHttpHeaders; body: string }[] = [];
let port = 0;

const server = createServer(async (request, response) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  received.push({
    url: request.url ?? "",
    headers: request.headers,
    body: Buffer.concat(chunks).toString(),
  });
  response.end("from behind");
});

// As the framework does, which leaves the socket open when nothing there wants it.
server.on("upgrade", () => {});

beforeAll(async () => {
  // After the server was made, as in the framework.
  installFrontDoor({ trustedHops: 1, siteUrl: undefined });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address === "object" && address) port = address.port;
});
afterAll(() => server.close());
beforeEach(() => {
  received = [];
});

/** Sends bytes as they are and resolves to all that comes back before the connection ends. */
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
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const megabyte = "a".repeat(bodyMaximumBytes);

describe("what passes", () => {
  test("carries the client's address, which the client cannot write itself", async () => {
    await send(
      head("GET /", "X-Weir-Client-Address: 203.0.113.9", "X-Forwarded-For: 203.0.113.9, 192.0.2.7"),
    );
    const headers = new Headers({
      "x-weir-client-address": String(received[0]?.headers["x-weir-client-address"]),
    });
    expect(clientAddress(headers)).toBe("192.0.2.7");
    expect(received[0]?.headers["x-forwarded-for"]).toBeUndefined();
  });

  test("says where it was sent as far as that can be believed", async () => {
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
      /Strict-Transport-Security: max-age=\d+/,
    );
  });

  test("keeps its address, unless that is not well encoded: then it leads nowhere", async () => {
    await send(head("GET /posts/%D8%B3?q=%"));
    await send(head("GET /posts/%E0%A4%A?q=1?2"));
    expect(received.map(({ url }) => url)).toEqual(["/posts/%D8%B3?q=%", "/posts/%25E0%25A4%25A?q=1?2"]);
  });
});

describe("a body", () => {
  test("of the largest size passes whole, its length known or not", async () => {
    await send(head("POST /", `Content-Length: ${megabyte.length}`), megabyte);
    await send(head("POST /", "Transfer-Encoding: chunked"), chunk(megabyte), "0\r\n\r\n");
    expect(received.map(({ body }) => body === megabyte)).toEqual([true, true]);
  });

  test("in many chunks arrives in their order", async () => {
    const chunks = ["one ", "سلام ", "three"];
    await send(head("POST /", "Transfer-Encoding: chunked"), ...chunks.map(chunk), "0\r\n\r\n");
    expect(received[0]?.body).toBe(chunks.join(""));
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

  test("that grows too large is refused and never seen behind the door", async () => {
    const tooMuch = [chunk(megabyte), chunk("b"), chunk(megabyte), "0\r\n\r\n"];
    const answer = await send(head("POST /api/posts", "Transfer-Encoding: chunked"), ...tooMuch);
    expect(answer).toMatch(/^HTTP\/1.1 413 .*application\/problem\+json.*"status":413/s);
    expect(received).toEqual([]);
  });
});

describe("what nobody here takes", () => {
  test.each([
    ["TRACE /api/posts", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"],
    ["PROPFIND /", "GET, HEAD, POST"],
    ["DELETE /login", "GET, HEAD, POST"],
    ["POST /_next/static/x.js", "GET, HEAD"],
  ])("%s is a 405 that says what is", async (line, allowed) => {
    const answer = await send(head(line));
    expect(answer).toMatch(/^HTTP\/1.1 405 /);
    expect(answer).toContain(`Allow: ${allowed}\r\n`);
    expect(answer).toContain("X-Frame-Options: DENY");
    expect(received).toEqual([]);
  });

  test("a Host that is none is a 400", async () => {
    const answer = await send("GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1.1 400 .*not the name of a host/s);
    expect(received).toEqual([]);
  });
});

test("nothing is upgraded to another protocol, and the connection does not stay open", async () => {
  const request = "GET / HTTP/1.1\r\nHost: blog.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
  expect(await send(request)).toMatch(/^HTTP\/1\.1 400 /);
  expect(received).toEqual([]);
});
