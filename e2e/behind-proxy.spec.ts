/** What changes when the settings say that one proxy stands in front of the app, and that it ends TLS. */
import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { expectProblem, test } from "./api-user.ts";
import { newName, password } from "./people.ts";

const twoAccounts = JSON.stringify({ "register.address": { capacity: 2, leakPerSecond: 0.0001 } });
const account = () => ({ username: newName("user"), email: `${randomUUID()}@example.org`, password });

test("limits count the address that the proxy saw, not what the client made up", async ({
  startServer,
  request,
}) => {
  const { origin } = await startServer({ TRUSTED_PROXY_HOPS: "1", LIMITS: twoAccounts });
  const register = async (forwardedFor: string) => {
    const headers = { "X-Forwarded-For": forwardedFor, "X-Weir-Client-Address": randomUUID() };
    return request.post(`${origin}/api/users`, { data: account(), headers });
  };
  for (const made of ["203.0.113.1", "203.0.113.2"])
    expect((await register(`${made}, 192.0.2.7`)).status()).toBe(201);
  await expectProblem(await register("203.0.113.3, 192.0.2.7"), 429);
  await expectProblem(await register("::ffff:192.0.2.7"), 429);
  expect((await register("192.0.2.8")).status()).toBe(201);

  // One subscriber has a whole /64 of addresses.
  expect((await register("2001:db8:1:2::1")).status()).toBe(201);
  expect((await register("2001:db8:1:2:ffff::9")).status()).toBe(201);
  await expectProblem(await register("2001:db8:1:2:1:2:3:4"), 429);
  expect((await register("2001:db8:1:3::1")).status()).toBe(201);
});

test("without a trusted proxy, all of that is made up", async ({ startServer, request }) => {
  const { origin } = await startServer({ LIMITS: twoAccounts });
  const register = (address: string) =>
    request.post(`${origin}/api/users`, {
      data: account(),
      headers: { "X-Forwarded-For": address, "X-Weir-Client-Address": address, "X-Forwarded-Proto": "https" },
    });
  for (const address of ["192.0.2.1", "192.0.2.2"]) {
    const answer = await register(address);
    expect(answer.status()).toBe(201);
    expect(answer.headers()).not.toHaveProperty("strict-transport-security");
    expect(answer.headers()["set-cookie"]).not.toMatch(/secure/i);
  }
  await expectProblem(await register("192.0.2.3"), 429);
});

test("over https cookies are Secure, HSTS is set, and the origin is the public one", async ({
  startServer,
  request,
}) => {
  const { origin } = await startServer({ TRUSTED_PROXY_HOPS: "1" });
  const forwarded = { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "blog.example" };
  const post = (from: string) =>
    request.post(`${origin}/api/users`, { data: account(), headers: { ...forwarded, Origin: from } });
  const answer = await post("https://blog.example");
  expect(answer.status()).toBe(201);
  expect(answer.headers()["strict-transport-security"]).toMatch(/^max-age=[1-9]\d{6,}/);
  expect(answer.headers()["set-cookie"]).toMatch(/__Secure-authjs\.session-token=[^\n]*; Secure; HttpOnly/);
  for (const from of ["http://blog.example", origin, "https://evil.example"])
    await expectProblem(await post(from), 403);
  const page = await request.get(`${origin}/`, { headers: forwarded });
  expect(page.headers()["content-security-policy"]).toContain("upgrade-insecure-requests");
});
