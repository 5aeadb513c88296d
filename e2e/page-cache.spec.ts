/** Copies of visitors' pages on the built server. */
import { expect } from "playwright/test";
import { registerAt } from "../testing/registration.ts";
import { newName, password } from "./people.ts";
import type { Server } from "./server.ts";
import { test } from "./test.ts";

/** Requests to a server, without a browser's own cookies and cache. */
function clientOf({ origin }: Server) {
  async function get(path: string, headers: Record<string, string> = {}) {
    const answer = await fetch(origin + path, { headers, redirect: "manual" });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }
  async function send(method: string, path: string, cookie: string, data: unknown) {
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { "Content-Type": "application/json", Cookie: cookie },
      body: JSON.stringify(data),
    });
    expect(answer.ok, await answer.clone().text()).toBe(true);
    return answer;
  }
  return {
    get,
    send,
    async publish(cookie: string, title: string, content = "Some text.") {
      const { headers } = await send("POST", "/api/posts", cookie, { title, content });
      return (headers.get("location") ?? "").replace("/api", "");
    },
  };
}

const nonceOf = (headers: Headers) =>
  /'nonce-([^']+)'/.exec(headers.get("content-security-policy") ?? "")?.[1] ?? "no nonce";

test("visitors share a page, readers with a session get their own, and a change shows at once", async ({
  sharedServer,
}) => {
  const server = await sharedServer({});
  const { get, send, publish } = clientOf(server);
  const username = newName("author");
  const cookie = await registerAt(server.origin, { username, password });
  const title = newName("Shared");
  const path = await publish(cookie, title);

  // Within a second, so on a busy machine some pairs of requests may have two pages.
  await expect(async () => {
    const [one, other] = [await get(path), await get(path)];
    expect(one.text).toContain(title);
    expect(other.text).toBe(one.text);
  }).toPass();
  const [own, ownAgain] = [await get(path, { Cookie: cookie }), await get(path, { Cookie: cookie })];
  expect(own.text).toContain(username);
  expect(nonceOf(ownAgain.headers)).not.toBe(nonceOf(own.headers));
  expect((await get(path)).text).not.toContain("Log out");

  for (const page of ["/", "/feed.xml", `/users/${username}`]) await get(page);
  const second = newName("Second");
  const secondPath = await publish(cookie, second);
  for (const page of ["/", "/feed.xml", `/users/${username}`])
    expect((await get(page)).text, page).toContain(second);

  await get(secondPath);
  const changed = newName("Changed");
  await send("PATCH", `/api${secondPath}`, cookie, { title: changed, content: "Other words." });
  for (const page of ["/", secondPath, "/feed.xml"]) expect((await get(page)).text, page).toContain(changed);
  await send("DELETE", `/api${secondPath}`, cookie, {});
  expect((await get(secondPath)).status).toBe(404);
  expect((await get("/")).text).not.toContain(changed);
});

test("errors are not kept: a post that is published after a 404 is there at once", async ({
  sharedServer,
}) => {
  const server = await sharedServer({});
  const { get, publish } = clientOf(server);
  const cookie = await registerAt(server.origin, { username: newName("author"), password });
  const title = newName("later");
  expect((await get(`/posts/${title}`)).status).toBe(404);
  expect(await publish(cookie, title)).toBe(`/posts/${title}`);
  expect((await get(`/posts/${title}`)).status).toBe(200);
});

test("neither parameters nor headers that a page does not read are in a copy, or make another", async ({
  sharedServer,
}) => {
  const server = await sharedServer({});
  const { get } = clientOf(server);
  for (const [path, headers] of [
    ["/how-scores-work?utm_source=evil", {}],
    ["/how-scores-work?x=evil&__proto__=evil&nxtPslug=evil", {}],
    ["/how-scores-work", { "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https" }],
    ["/how-scores-work", { "Accept-Language": "tlh;q=2, evil, */*", "Accept-Encoding": "evil;q=1, br;q=9" }],
    ["/how-scores-work", { "User-Agent": "evil", Referer: "https://evil.example/" }],
    [
      "/how-scores-work",
      { "X-Middleware-Prefetch": "1", "X-Matched-Path": "/evil", "X-Original-URL": "/evil" },
    ],
    ["/how-scores-work", { Cookie: "theme=evil; language=evil; evil=1" }],
  ] satisfies [string, Record<string, string>][]) {
    // Within a second, as above.
    let copy = await get("/how-scores-work");
    await expect(async () => {
      const varied = await get(path, headers);
      copy = await get("/how-scores-work");
      expect(varied.text, path).toBe(copy.text);
    }).toPass();
    expect(copy.status).toBe(200);
    expect(copy.text).not.toContain("evil");
    expect(copy.text).toContain('lang="en"');
    expect(copy.headers.get("content-security-policy")).not.toContain("upgrade-insecure-requests");
  }
  const { text } = await get("/how-scores-work", { "Accept-Language": "fa" });
  expect(text).toContain('lang="fa"');
});

test("no content has the nonce of its own page, although an author has seen one", async ({
  sharedServer,
}) => {
  const server = await sharedServer({});
  const { get, publish } = clientOf(server);
  const username = newName("author");
  const cookie = await registerAt(server.origin, { username, password });
  const home = await get("/");
  const nonce = nonceOf(home.headers);
  const path = await publish(cookie, `A title with ${nonce}`, `A text with nonce="${nonce}"`);
  for (const page of ["/", path, `/users/${username}`, `/?q=${encodeURIComponent(nonce)}`, "/feed.xml"]) {
    const { text, headers } = await get(page);
    const own = nonceOf(headers);
    expect(own, page).not.toBe(nonce);
    // In attributes of elements, and in the framework's data for them.
    const elsewhere = text.replaceAll(`nonce="${own}"`, "").replaceAll(`\\"nonce\\":\\"${own}\\"`, "");
    expect(elsewhere, page).not.toContain(own);
    expect(text, page).toContain(nonce.slice(0, 8));
  }
});
