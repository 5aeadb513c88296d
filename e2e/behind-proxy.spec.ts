/** The app behind one trusted proxy that ends TLS. */
import { randomUUID } from "node:crypto";
import { expect } from "playwright/test";
import { solvedAt } from "../testing/registration.ts";
import { expectProblem, test } from "./api-user.ts";
import { newName, password } from "./people.ts";

test("limits count the client address from the proxy, and cookies and origins are those of https", async ({
  startServer,
  request,
}) => {
  const { origin } = await startServer({
    TRUSTED_PROXY_HOPS: "1",
    LIMITS: JSON.stringify({ "register.address": { capacity: 2, leakPerSecond: 0.0001 } }),
  });
  const forwarded = { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "blog.example" };
  const register = async (forwardedFor: string, from = "https://blog.example") =>
    request.post(`${origin}/api/users`, {
      data: {
        username: newName("user"),
        email: `${randomUUID()}@example.org`,
        password,
        ...(await solvedAt(origin)),
      },
      headers: { ...forwarded, Origin: from, "X-Forwarded-For": forwardedFor },
    });
  const first = await register("203.0.113.1, 192.0.2.7");
  expect(first.status()).toBe(201);
  expect(first.headers()["set-cookie"]).toMatch(/__Secure-authjs\.session-token=[^\n]*; Secure; HttpOnly/);
  for (const from of ["http://blog.example", origin, "https://evil.example"])
    await expectProblem(await register("192.0.2.7", from), 403);
  expect((await register("203.0.113.2, 192.0.2.7")).status()).toBe(201);
  await expectProblem(await register("203.0.113.3, 192.0.2.7"), 429);
  await expectProblem(await register("::ffff:192.0.2.7"), 429);
  expect((await register("192.0.2.8")).status()).toBe(201);
});

test("an action that redirects returns the page, with TLS ended at the proxy", async ({
  sharedServer,
  request,
}) => {
  const { origin } = await sharedServer({ TRUSTED_PROXY_HOPS: "1" });
  const headers = { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "blog.example" };
  const username = newName("user");
  const registered = await request.post(`${origin}/api/users`, {
    data: { username, email: `${username}@example.org`, password, ...(await solvedAt(origin)) },
    headers,
  });
  const [cookie = ""] = /[^\n]*session-token=[^;]+/.exec(registered.headers()["set-cookie"] ?? "") ?? [];
  const page = await (await request.get(origin, { headers: { ...headers, Cookie: cookie } })).text();
  // The first form is the header's.
  const [, logOut = ""] = /name="\$ACTION_\d+:0" value="\{&quot;id&quot;:&quot;(\w+)&quot;/.exec(page) ?? [];
  expect(logOut).not.toBe("");
  const answer = await request.post(origin, {
    data: "[]",
    headers: { ...headers, Cookie: cookie, "Next-Action": logOut, "Content-Type": "text/plain" },
  });
  expect(answer.headers()["x-action-redirect"]).toBe("/;push");
  expect(answer.headers()["content-type"]).toBe("text/x-component");
});

test("under https the choices of a visitor are Secure cookies, and no other host can set the kept stars", async ({
  sharedServer,
  request,
}) => {
  const { origin } = await sharedServer({ TRUSTED_PROXY_HOPS: "1" });
  const headers = {
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "blog.example",
    Origin: "https://blog.example",
  };
  // Not with Playwright's `request`, which would keep the author's session.
  const get = async (path: string, cookie = "") =>
    (await fetch(origin + path, { headers: { ...headers, Cookie: cookie } })).text();
  const send = (path: string, body: BodyInit, cookie = "") =>
    fetch(origin + path, {
      method: "POST",
      body,
      headers: { ...headers, Cookie: cookie },
      redirect: "manual",
    });
  const secure = (answer: Response, name: string) => {
    const cookie = answer.headers.getSetCookie().find((each) => each.startsWith(`${name}=`)) ?? "";
    expect(cookie).toMatch(/^[^;]+; Path=\/; .*; Secure; HttpOnly; SameSite=lax$/);
    return cookie.split(";", 1)[0];
  };
  for (const [name, value] of [
    ["language", "en"],
    ["theme", "dark"],
  ] as const)
    expect(secure(await send(`/${name}`, new URLSearchParams({ [name]: value })), name)).toBe(
      `${name}=${value}`,
    );

  const username = newName("user");
  const data = { username, email: `${username}@example.org`, password, ...(await solvedAt(origin)) };
  const registered = await request.post(`${origin}/api/users`, { data, headers });
  const [session = ""] = /[^\n]*session-token=[^;]+/.exec(registered.headers()["set-cookie"] ?? "") ?? [];
  const published = await request.post(`${origin}/api/posts`, {
    data: { title: "A post", content: "Some text." },
    headers: { ...headers, Cookie: session },
  });
  expect(published.status()).toBe(201);
  const path = (published.headers().location ?? "").replace("/api", "");

  const chosen = await send(`${path}/stars`, new URLSearchParams({ score: "4" }));
  const logIn = chosen.headers.get("location") ?? "";
  expect(logIn).toMatch(/^\/login\?next=/);
  const stars = secure(chosen, "__Host-weir-stars");
  const sentence = "is saved. If you have rated this post before";
  expect(await get(logIn, stars)).toContain(sentence);
  const planted = await get(logIn, stars?.replace("__Host-", ""));
  expect(planted).not.toContain(sentence);
  const loggedIn = await send(logIn, formOf(planted, { username, password }), stars);
  expect(loggedIn.status).toBe(303);
  // A browser ignores the removal without Secure, too.
  expect(secure(loggedIn, "__Host-weir-stars")).toBe("__Host-weir-stars=");
});

/**
 * The form of a page that has these fields, filled in.
 * As a browser without scripts sends it.
 */
function formOf(html: string, fields: Record<string, string>): FormData {
  const [first = ""] = Object.keys(fields);
  const form = html.split("<form").find((each) => each.includes(`name="${first}"`)) ?? "";
  const data = new FormData();
  const hidden = /<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?/g;
  for (const [, name = "", value = ""] of (form.split("</form>")[0] ?? "").matchAll(hidden))
    data.set(name, value.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}
