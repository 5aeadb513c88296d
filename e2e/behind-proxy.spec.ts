/** The app behind one trusted proxy that ends TLS. */
import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
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
  startServer,
  request,
}) => {
  const { origin } = await startServer({ TRUSTED_PROXY_HOPS: "1" });
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
