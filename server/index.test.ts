/** The built app behind its server, as `npm start` runs it. */
import { once } from "node:events";
import { get } from "node:http";
import { buffer, text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gather } from "../e2e/crowd.ts";
import { newName, password, postPath } from "../e2e/people.ts";
import { picture } from "../e2e/picture.ts";
import { newServer, type Server } from "../e2e/server.ts";
import { buildApp } from "../scripts/build.mjs";
import { isWithoutEffect } from "../testing/next-header-effects.ts";
import { nextHeaderNames } from "../testing/next-header-names.ts";
import { registerAt } from "../testing/registration.ts";
import { isDropped } from "./framework-headers.ts";

let server: Server;
beforeAll(async () => {
  await buildApp();
  server = await newServer({ HOST: "127.0.0.1" });
});
afterAll(() => server?.remove());

test("with HOST, the start message names that address only", () => {
  expect(server.output).toMatch(
    /^Weir is ready on http:\/\/127\.0\.0\.1:\d+\nIt listens on 127\.0\.0\.1 only\.$/m,
  );
});

test("without HOST, the start message names all addresses and how to change that", async () => {
  const open = await newServer();
  expect(open.output).toMatch(
    /^Weir is ready on http:\/\/localhost:\d+\nIt listens on all addresses of this machine; with HOST=127\.0\.0\.1 only this machine reaches it\.$/m,
  );
  await open.remove();
});

describe("headers that Next.js reads", () => {
  const values = ["1", "/evil", '"evil"', "Thu, 01 Jan 1970 00:00:00 GMT", "bytes=0-9"];
  /** A person's page, as visitors may get a copy, and an answer of each other kind. */
  let paths: string[];
  let cookie: string;
  beforeAll(async () => {
    cookie = await registerAt(server.origin, { username: newName("reader"), password });
    const form = new FormData();
    form.set("file", new File([new Uint8Array(await picture())], "lake.jpeg"));
    const upload = { method: "POST", headers: { cookie }, body: form };
    const [media = ""] =
      /\/media\/[\w.-]+/.exec(await (await fetch(`${server.origin}/api/media`, upload)).text()) ?? [];
    paths = ["/how-scores-work", "/feed.xml", "/sitemap.xml", "/api/posts", media];
  });

  async function answerTo(path: string, headers: Record<string, string> = {}) {
    const options = { headers: { cookie, ...headers } };
    const [answer] = await once(get(server.origin + path, options), "response");
    const { "content-security-policy": policy = "", "content-type": type } = answer.headers;
    const { "content-encoding": encoding } = answer.headers;
    const [, nonce = "no nonce"] = /'nonce-([^']+)'/.exec(policy) ?? [];
    const bytes = await buffer(answer);
    // The framework's data, in scripts, is in the order in which its parts were ready.
    const body = bytes
      .toString("latin1")
      .replaceAll(nonce, "nonce")
      .replaceAll(/<script.*?<\/script>/gs, "");
    return { status: answer.statusCode, type, encoding, body, bytes: body.length };
  }

  /** Expects the same answers as without each header. */
  async function expectNoEffect(names: readonly string[], onPaths = paths): Promise<void> {
    for (const path of onPaths) {
      const usual = await answerTo(path);
      expect(usual.status, path).toBe(200);
      for (const name of names)
        for (const value of values)
          expect(await answerTo(path, { [name]: value }), `${path} ${name}: ${value}`).toEqual(usual);
    }
  }

  test("those that are dropped, and those without effect, change no answer", async () => {
    expect((await answerTo("/account")).status).toBe(200);
    const names = [...nextHeaderNames()].filter((name) => isDropped(name) || isWithoutEffect(name));
    expect(names.length).toBeGreaterThan(40);
    await expectNoEffect(names);
  });

  test("those whose effect needs another header or a body change no answer without it", async () => {
    await expectNoEffect([
      ...["next-router-state-tree", "next-router-prefetch", "next-router-segment-prefetch", "next-url"],
      ...[
        "next-action",
        "x-action-forwarded",
        "x-deployment-id",
        "purpose",
        "sec-purpose",
        "origin",
        "referer",
      ],
      ...[
        "sec-fetch-dest",
        "sec-fetch-mode",
        "sec-fetch-site",
        "sec-fetch-user",
        "traceparent",
        "tracestate",
      ],
      ...["x-forwarded-for", "x-forwarded-host", "x-forwarded-port", "x-forwarded-proto"],
      ...[
        "content-type",
        "etag",
        "if-none-match",
        "location",
        "set-cookie",
        "vary",
        "access-control-request-headers",
      ],
    ]);
  });

  test("rsc gives a page's data in place of its HTML, and leaves every other answer as it is", async () => {
    const [page, ...others] = paths;
    // By way of a redirect to an address with a parameter, so that no cache mixes them up.
    const read = async (path = "", headers = {}) => {
      const answer = await fetch(server.origin + path, { headers: { cookie, ...headers } });
      return { status: answer.status, type: answer.headers.get("content-type"), body: await answer.text() };
    };
    expect(await read(page, { rsc: "1" })).toMatchObject({ status: 200, type: "text/x-component" });
    for (const path of others) {
      const usual = await read(path);
      for (const rsc of values) expect(await read(path, { rsc }), `${path} ${rsc}`).toEqual(usual);
    }
  });

  test("accept-encoding compresses an answer, and changes nothing else", async () => {
    for (const path of paths) {
      const usual = await answerTo(path);
      expect(usual.encoding, path).toBeUndefined();
      const { status, type, encoding } = await answerTo(path, { "accept-encoding": "gzip" });
      expect({ status, type }, path).toEqual({ status: usual.status, type: usual.type });
      expect(["gzip", undefined], path).toContain(encoding);
    }
  });
});

test("refuses an address's searches beyond the limit, on the front page and in the API, and nothing else", async () => {
  const limit = { capacity: 2, leakPerSecond: 1 / 3_600 };
  const limited = await newServer({ LIMITS: JSON.stringify({ "search.address": limit }) });
  const from = (path: string) => fetch(limited.origin + path);
  const statuses = [];
  for (const path of ["/?q=water", "/api/posts?q=water"]) statuses.push((await from(path)).status);
  expect(statuses).toEqual([200, 200]);
  for (const path of ["/?q=water", "/?q=stone", "/api/posts?q=water"]) {
    const refused = await from(path);
    expect(refused.status, path).toBe(429);
    expect(refused.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(await refused.text()).toMatch(/many searches from your network, so nothing was searched/);
  }
  for (const path of ["/", "/?q=", "/api/posts"]) expect((await from(path)).status, path).toBe(200);
  await limited.remove();
});

test("lists posts in the site map, which robots.txt names", async () => {
  const [author] = await gather(server, 1);
  if (!author) throw new Error("There is an author.");
  const published = await author.send("POST", "/api/posts", { title: "نقشه", content: "Words." });
  const { slug }: { slug: string } = await published.json();
  const map = await fetch(`${server.origin}/sitemap.xml`);
  expect(map.headers.get("Content-Type")).toContain("xml");
  expect(await map.text()).toContain(`<loc>${server.origin}${postPath(slug)}</loc>`);
  const robots = await (await fetch(`${server.origin}/robots.txt`)).text();
  expect(robots).toContain(`Sitemap: ${server.origin}/sitemap.xml`);
  expect(robots).toContain("Disallow: /api/");
});

test("no answer repeats a host that a client claims", async () => {
  const [author] = await gather(server, 1);
  if (!author) throw new Error("There is an author.");
  const post = { title: "Shared", content: "Words.", tags: ["Shared"] };
  const published = await author.send("POST", "/api/posts", post);
  const { slug }: { slug: string } = await published.json();
  const user = `/users/${author.username}`;
  const lists = [user, "/tags/shared"];
  const pages = [
    ...[
      "/",
      "/login",
      "/register",
      "/how-scores-work",
      "/lab",
      "/privacy",
      "/subscribe",
      "/archive",
      ...lists,
      postPath(slug),
    ],
    ...[`/archive/${new Date().getUTCFullYear()}`, "/?q=words"],
  ];
  const files = [
    ...["", ...lists].flatMap((list) => [`${list}/feed.xml`, `${list}/feed.json`]),
    ...["/sitemap.xml", "/robots.txt", "/manifest.webmanifest", "/accent.css"],
    ...["/api/openapi.json", "/api/posts", `/api${postPath(slug)}`],
  ];
  for (const [path, status] of [
    ...[...pages, ...files].map((path) => [path, 200] as const),
    ["/account", 307] as const,
    ["/nothing", 404] as const,
  ]) {
    const [answer] = await once(get(server.origin + path, { headers: { host: "evil.example" } }), "response");
    expect(answer.statusCode, path).toBe(status);
    expect(JSON.stringify(answer.headers) + (await text(answer)), path).not.toContain("evil.example");
  }
});
