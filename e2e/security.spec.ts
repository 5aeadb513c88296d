/** Security headers, foreign origins and sessions, in the whole app. */
import { expect } from "playwright/test";
import { expectProblem, publish, test } from "./api-user.ts";
import { password } from "./people.ts";

test("every kind of answer carries the security headers", async ({ request }) => {
  const page = await (await request.get("/")).text();
  const style = /\/_next\/static\/[^"]+\.css/.exec(page)?.[0] ?? "";
  expect(style).not.toBe("");
  const answers: [number, string, RequestInit?][] = [
    [200, "/"],
    [404, "/nothing-here"],
    [404, "/posts/%E0%A4%A"],
    [307, "/posts/new"],
    [308, "/posts/"],
    [308, "/posts//double"],
    [405, "/login", { method: "DELETE" }],
    [413, "/login", { method: "POST", body: "a".repeat(2_000_000) }],
    [403, "/login", { method: "POST", headers: { Origin: "https://evil.example" } }],
    [200, "/api/posts"],
    [404, "/api/nothing"],
    [405, "/api/posts", { method: "DELETE" }],
    [204, "/api/posts", { method: "OPTIONS" }],
    [200, style],
    [404, "/_next/static/nothing.js"],
    [404, "/_next/image?url=nothing"],
    [404, "/_global-error"],
    [200, "/icon.svg"],
    [200, "/feed.xml"],
    [200, "/sitemap.xml"],
    [200, "/robots.txt"],
  ];
  for (const [status, path, { method = "GET", headers = {}, body } = {}] of answers) {
    const answer = await request.fetch(path, {
      method,
      maxRedirects: 0,
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === "string" && { data: body }),
    });
    expect(answer.status(), path).toBe(status);
    expect(answer.headers(), path).toMatchObject({
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "same-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
    });
    expect(answer.headers()).not.toHaveProperty("x-powered-by");
  }
});

test("a page runs only scripts with its nonce", async ({ browser, baseURL }) => {
  // Not a watched browser: here the console is meant to complain.
  const page = await browser.newPage(baseURL ? { baseURL } : {});
  await page.goto("/login");
  await expect(page.locator("script:not([nonce])")).toHaveCount(0);
  const violated = await page.evaluate(
    () =>
      new Promise((resolve) => {
        document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective));
        const injected = document.createElement("div");
        injected.innerHTML = '<img src="data:," onerror="document.title = \'taken over\'">';
        document.body.append(injected);
      }),
  );
  expect(violated).toBe("script-src-attr");
  await expect(page).not.toHaveTitle("taken over");
  await page.close();
});

test("a request of another site's page changes nothing, by API or action", async ({ newUser, baseURL }) => {
  const user = await newUser();
  const path = await publish(user);
  const headers = { Origin: "https://evil.example", "X-Forwarded-Host": "evil.example" };
  await expectProblem(await user.api.post(`${path}/rating`, { headers, data: { score: 5 } }), 403);
  await expectProblem(await user.api.delete(path, { headers }), 403);
  for (const action of [{}, { "Next-Action": "0".repeat(42) }]) {
    const options = { headers: { ...headers, ...action }, multipart: { a: "b" } };
    const answer = await user.api.post(path.replace("/api", ""), options);
    expect(answer.status()).toBe(403);
    expect(await answer.text()).not.toContain("<html");
  }
  expect(await (await user.api.get(`${path}/score`, { headers })).json()).toMatchObject({ count: 0 });
  const own = { Origin: baseURL ?? "" };
  expect((await user.api.post(`${path}/rating`, { headers: own, data: { score: 5 } })).status()).toBe(201);
});

test("the session's cookie is out of reach of scripts and other sites", async ({ newUser }) => {
  const { api, name } = await newUser();
  const answer = await api.post("/api/session", { data: { username: name, password } });
  const cookies = answer.headersArray().filter(({ name }) => name.toLowerCase() === "set-cookie");
  const session = cookies.find(({ value }) => value.startsWith("authjs.session-token="));
  expect(session?.value).toMatch(/; Path=\/;.*HttpOnly; SameSite=lax$/i);
});
