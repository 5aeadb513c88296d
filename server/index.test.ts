/** The built app behind its server, as `npm start` runs it. */
import { once } from "node:events";
import { get } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gather } from "../e2e/crowd.ts";
import { newName, password, postPath } from "../e2e/people.ts";
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

test("dropped headers, and those without effect, change no answer", async () => {
  const username = newName("reader");
  const cookie = await registerAt(server.origin, { username, password });
  const answerTo = async (headers: Record<string, string>) => {
    // With a session, as visitors may get a copy.
    const options = { headers: { cookie, ...headers } };
    const [answer] = await once(get(`${server.origin}/how-scores-work`, options), "response");
    const { "content-security-policy": policy = "", "content-type": type } = answer.headers;
    const [, nonce = "no nonce"] = /'nonce-([^']+)'/.exec(policy) ?? [];
    // The framework's data, in scripts, is in the order in which its parts were ready.
    const page = (await text(answer)).replaceAll(nonce, "nonce").replaceAll(/<script.*?<\/script>/gs, "");
    return { status: answer.statusCode, type, page };
  };
  const usual = await answerTo({});
  expect(usual.page).toContain(username);
  const without = [...nextHeaderNames()].filter((name) => isDropped(name) || isWithoutEffect(name));
  expect(without.length).toBeGreaterThan(40);
  for (const name of without)
    for (const value of ["1", "/evil", '"evil"', "Thu, 01 Jan 1970 00:00:00 GMT", "bytes=0-9"])
      expect(await answerTo({ [name]: value }), `${name}: ${value}`).toEqual(usual);
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
  const published = await author.send("POST", "/api/posts", { title: "Shared", content: "Words." });
  const { slug }: { slug: string } = await published.json();
  const user = `/users/${author.username}`;
  const pages = ["/", "/login", "/register", "/how-scores-work", "/lab", user, postPath(slug)];
  for (const [path, status] of [
    ...["/feed.xml", "/sitemap.xml", "/robots.txt", ...pages].map((path) => [path, 200] as const),
    ["/account", 307] as const,
    ["/nothing", 404] as const,
  ]) {
    const [answer] = await once(get(server.origin + path, { headers: { host: "evil.example" } }), "response");
    expect(answer.statusCode, path).toBe(status);
    expect(JSON.stringify(answer.headers) + (await text(answer)), path).not.toContain("evil.example");
  }
});
