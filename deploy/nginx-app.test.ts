/** The app behind the real nginx. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { newServer, type Server } from "../e2e/server.ts";
import { buildApp } from "../scripts/build.mjs";
import { type NginxServer, startNginx } from "../scripts/cluster/start-nginx.ts";
import { cookiesOf, solvedAt } from "../testing/registration.ts";

let app: Server;
let nginx: NginxServer;

beforeAll(async () => {
  await buildApp();
  app = await newServer({ TRUSTED_PROXY_HOPS: "1" });
  nginx = await startNginx([new URL(app.origin).host.replace("localhost", "127.0.0.1")]);
});
afterAll(async () => {
  await nginx?.stop();
  await app?.remove();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(nginx.origin + path, { headers, redirect: "manual" });

/** Registers a user; resolves to the cookies of the session. */
async function session(username: string): Promise<string> {
  const made = await fetch(`${nginx.origin}/api/users`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: nginx.origin },
    body: JSON.stringify({
      username,
      email: `${username}@example.org`,
      password: "a long enough password",
      ...(await solvedAt(app.origin)),
    }),
  });
  expect(made.status).toBe(201);
  return cookiesOf(made.headers);
}

test("visitors share a page, whose scripts carry the nonce of its own policy", async () => {
  const posted = await fetch(`${nginx.origin}/api/posts`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      origin: nginx.origin,
      cookie: await session("author"),
    },
    body: JSON.stringify({ title: "A shared page", content: "Words." }),
  });
  expect(posted.status).toBe(201);
  const pages = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const answer = await get("/posts/a-shared-page");
      const [, nonce] = /'nonce-([^']+)'/.exec(answer.headers.get("content-security-policy") ?? "") ?? [];
      const nonces = [...(await answer.text()).matchAll(/<script[^>]* nonce="([^"]*)"/g)].map(
        ([, own]) => own,
      );
      return { nonce, nonces: [...new Set(nonces)] };
    }),
  );
  expect(pages[0]?.nonce).toMatch(/^[\w+/]{22}==$/);
  for (const { nonce, nonces } of pages) expect(nonces).toEqual([nonce]);
  // On a busy machine a page may have ended before some of the requests.
  expect(new Set(pages.map(({ nonce }) => nonce)).size).toBeLessThan(20);
});

test("a page is compressed by the node, and in the visitor's language", async () => {
  const visit = (language: string) =>
    get("/how-scores-work", { "accept-encoding": "br", "accept-language": language });
  for (const language of ["en", "fa", "en"]) {
    const answer = await visit(language);
    expect(answer.headers.get("content-encoding")).toBe("br");
    expect(await answer.text()).toContain(`lang="${language}"`);
  }
});

test("a user gets a page of their own, which no other visitor gets", async () => {
  const cookie = await session("wilhelmina");
  const anonymous = await (await get("/")).text();
  const own = await (await get("/", { cookie })).text();
  const after = await (await get("/")).text();
  expect(own).toContain("wilhelmina");
  expect(anonymous).not.toContain("wilhelmina");
  expect(after).not.toContain("wilhelmina");
});

test("a part of a page that the browser's router fetches is not served as a page", async () => {
  // The framework sends on to an address that is made from the headers.
  const part = await fetch(`${nginx.origin}/lab`, { headers: { rsc: "1" } });
  expect(part.headers.get("content-type")).toContain("text/x-component");
  const page = await get("/lab");
  expect(page.headers.get("content-type")).toContain("text/html");
  const again = await fetch(`${nginx.origin}/lab`, { headers: { rsc: "1" } });
  expect(again.headers.get("content-type")).toContain("text/x-component");
});

test("built files are fetched from the app once", async () => {
  const page = await (await get("/register")).text();
  const [path = ""] = /\/_next\/static\/[^"]+\.js/.exec(page) ?? [];
  for (let i = 0; i < 3; i += 1)
    expect((await get(path)).headers.get("cache-control")).toContain("immutable");
  expect(await nginx.cacheUse(path, 3)).toEqual(["MISS", "HIT", "HIT"]);
});
