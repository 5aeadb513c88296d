import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { declareNoScripts } from "../lib/request/current-request.ts";
import { sendWhole } from "./whole-page.ts";

const nonce = "bm9uY2U=";
const scripts = `<script src="/_next/static/a.js" async="" nonce="${nonce}"></script>`;
const text = "<p>متن</p>".repeat(200);

/** The handler in place of Next.js. */
let handle: (request: IncomingMessage, response: ServerResponse) => void;
let timeoutMs: number | undefined;
const server = createServer((request, response) => {
  const current = { id: "1", clientAddress: "192.0.2.1", locale: "en", response, nonce } as const;
  sendWhole(request, current, async (...page) => handle(...page), timeoutMs).catch(() =>
    response.writeHead(500).end(),
  );
});
let origin = "";
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

function html(response: ServerResponse): void {
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.flushHeaders();
  response.write(scripts);
  response.write(Buffer.from(text));
  response.end();
}

test.each(["br", "gzip", "identity"])("sends a page whole, its scripts too, as %s", async (encoding) => {
  let accepted: unknown = "";
  handle = (request, response) => {
    accepted = request.headers["accept-encoding"];
    html(response);
  };
  const answer = await fetch(origin, { headers: { "Accept-Encoding": encoding } });
  expect(accepted).toBeUndefined();
  expect(answer.headers.get("content-encoding")).toBe(encoding === "identity" ? null : encoding);
  expect(answer.headers.has("content-length")).toBe(true);
  expect(await answer.text()).toBe(scripts + text);
});

test("omits the scripts of a page that has nothing to hydrate", async () => {
  handle = (_, response) => {
    declareNoScripts();
    html(response);
  };
  expect(await (await fetch(origin)).text()).toBe(text);
});

test("keeps the scripts of an error page, which they fill", async () => {
  handle = (_, response) => {
    declareNoScripts();
    response.statusCode = 500;
    html(response);
  };
  expect(await (await fetch(origin)).text()).toBe(scripts + text);
});

test("sends a response that is not a page unchanged", async () => {
  handle = (_, response) => {
    declareNoScripts();
    response.end(scripts);
  };
  const answer = await fetch(origin);
  expect(answer.headers.has("content-encoding")).toBe(false);
  expect(await answer.text()).toBe(scripts);
});

test("answers a script's form with the address of the next page, in place of a redirect", async () => {
  handle = (_, response) => {
    response.setHeader("Set-Cookie", ["a=1", "b=2"]);
    response.writeHead(303, { Location: "/next#here" }).end();
  };
  const send = (headers: HeadersInit) => fetch(origin, { method: "POST", headers, redirect: "manual" });
  const answer = await send({ Prefer: "return=minimal" });
  expect([answer.status, answer.headers.get("location")]).toEqual([204, "/next#here"]);
  expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect((await send({})).status).toBe(303);
});

test("drops a page that fails midway", async () => {
  handle = (_, response) => {
    response.write("the first half");
    throw new Error("unexpected");
  };
  const answer = await fetch(origin);
  expect([answer.status, await answer.text()]).toEqual([500, ""]);
});

test("destroys the response of a page whose client leaves", async () => {
  let made: ServerResponse | undefined;
  handle = (_, response) => {
    made = response;
  };
  const client = new AbortController();
  const answer = fetch(origin, { signal: client.signal });
  await expect.poll(() => made).toBeDefined();
  expect(made?.destroyed).toBe(false);
  client.abort();
  await expect(answer).rejects.toThrow();
  await expect.poll(() => made?.destroyed).toBe(true);
});

test("gives up a page that does not end", async () => {
  let made: ServerResponse | undefined;
  handle = (_, response) => {
    made = response;
  };
  timeoutMs = 1;
  const answer = await fetch(origin);
  timeoutMs = undefined;
  expect(answer.status).toBe(500);
  expect(made?.destroyed).toBe(true);
});
