import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryStore, storeFrom } from "../lib/limiter/index.ts";
import { type HttpService, startHttp } from "../testing/http-service.ts";
import { connectRaw } from "../testing/raw-http.ts";
import { listenOnHttp } from "./http.ts";
import { idempotent } from "./idempotency.ts";

const policies = {
  demo: { algorithm: "fixed-window", limit: 2, windowMs: 60_000 },
  burst: { algorithm: "token-bucket", capacity: 1, refillPerSecond: 20 },
};
const rules = [
  { name: "banned", when: { user: "mallory" }, answer: "deny", tell: "You are banned." },
  { name: "by user", when: { user: { any: true } }, key: ["user"], policy: "demo", tell: "Slow down." },
];

let now = 0;
let service: HttpService;
beforeAll(async () => {
  service = await startHttp({ policies, rules, store: memoryStore({ clock: () => now }) });
});
afterAll(() => service.close());

describe("a decision", () => {
  test("is a 200 either way, with RateLimit headers", async () => {
    const send = () => service.post("/v1/consume", { policy: "demo", key: "either way" });
    const first = await send();
    expect(first.status).toBe(200);
    expect(await first.json()).toMatchObject({ allowed: true, remaining: 1, policy: "demo", rule: null });
    expect(Object.fromEntries(first.headers)).toMatchObject({
      "content-type": "application/json",
      "cache-control": "no-store",
      "ratelimit-policy": '"demo";q=2;w=60',
      ratelimit: '"demo";r=1;t=60',
    });
    expect(first.headers.has("retry-after")).toBe(false);
    await send();
    const refused = await send();
    expect(refused.status).toBe(200);
    expect(await refused.json()).toMatchObject({ allowed: false, remaining: 0 });
    expect(refused.headers.get("retry-after")).toBe("60");
  });

  test("is the status with ?status=1", async () => {
    const send = () => service.post("/v1/consume?status=1", { key: "by status" });
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ allowed: false, reason: { algorithm: "fixed-window" } });
    expect(refused.headers.get("retry-after")).toBe("60");
    expect((await service.post("/v1/consume?status=0", { key: "by status" })).status).toBe(200);
  });

  test("names the rule that refuses, in the headers too, with the rule's message", async () => {
    const send = (user: string) => service.post("/v1/consume?status=1", { fields: { user } });
    const banned = await send("mallory");
    expect([banned.status, banned.headers.has("ratelimit")]).toEqual([429, false]);
    expect(await banned.json()).toMatchObject({ rule: "banned", message: "You are banned." });
    await send("ada");
    await send("ada");
    const refused = await send("ada");
    expect(refused.headers.get("ratelimit")).toBe('"by user";r=0;t=60');
    expect(await refused.json()).toMatchObject({ rule: "by user", message: "Slow down." });
    expect((await send("grace")).status).toBe(200);
  });

  test("is a 503 with ?status=1 when the store is unavailable", async () => {
    const broken = await startHttp({
      policies: { shut: { algorithm: "fixed-window", limit: 1, windowMs: 1_000, outage: "closed" } },
      store: storeFrom(() => Promise.reject(new Error("the store is away"))),
    });
    const answer = await broken.post("/v1/consume?status=1", {});
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ allowed: false, reason: { unavailable: true } });
    expect((await broken.post("/v1/consume", {})).status).toBe(200);
    await broken.close();
  });
});

describe("every verb", () => {
  test("answers with the same JSON as over ZeroMQ", async () => {
    const key = "every verb";
    const send = async (verb: string, body: object) => (await service.post(`/v1/${verb}`, body)).json();
    expect(await send("consume", { id: 7, key })).toMatchObject({ id: 7, allowed: true, remaining: 1 });
    expect(await send("peek", { id: "p", key })).toMatchObject({ id: "p", allowed: true, remaining: 1 });
    expect(await send("refund", { key })).toEqual({ refunded: true });
    expect(await send("refund", { key })).toEqual({ refunded: false });
    await send("consume", { key, cost: 2 });
    expect(await send("reset", { key, id: 8 })).toEqual({ id: 8, reset: true });
    expect(await send("rules", { fields: { user: "mallory" } })).toMatchObject({
      rules: [
        { rule: "banned", allowed: false },
        { rule: "by user", allowed: true },
      ],
    });
    const waits = { policy: "burst", key, maxWaitMs: 10_000 };
    expect(await send("wait", waits)).toMatchObject({ allowed: true });
    const waiting = send("wait", waits);
    now += 50;
    expect(await waiting).toMatchObject({ allowed: true });
    expect(await send("wait", { ...waits, maxWaitMs: 0 })).toMatchObject({ allowed: false });
  });

  test("may be named in the body again, but not another", async () => {
    expect((await service.post("/v1/peek", { verb: "peek" })).status).toBe(200);
    const other = await service.post("/v1/peek", { verb: "consume" });
    expect(other.status).toBe(422);
    expect(await other.json()).toMatchObject({ errors: { verb: [expect.stringContaining("peek")] } });
  });

  test("takes a list, and answers each request in order", async () => {
    const list = [
      { id: 1, key: "list" },
      { id: 2, policy: "unknown" },
      { id: 3, cost: -1 },
      { id: 4, key: "list" },
    ];
    const answer = await service.post("/v1/consume", list);
    expect([answer.status, answer.headers.has("ratelimit")]).toEqual([200, false]);
    expect(await answer.json()).toMatchObject([
      { id: 1, remaining: 1 },
      { id: 2, error: expect.stringContaining("unknown") },
      { id: 3, error: expect.stringContaining("cost") },
      { id: 4, remaining: 0 },
    ]);
    for (const bad of [[], Array.from({ length: 101 }, () => ({}))])
      expect((await service.post("/v1/consume", bad)).status).toBe(422);
    expect((await service.post("/v1/consume?status=1", [{}])).status).toBe(422);
  });
});

describe("a page", () => {
  const get = (path: string) => fetch(service.origin + path);

  test("reports that the service is alive, and lists the paths", async () => {
    expect(await (await get("/v1/alive")).json()).toEqual({ alive: true });
    expect(JSON.stringify(await (await get("/")).json())).toContain("/v1/openapi.json");
    const head = await fetch(`${service.origin}/v1/alive`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test.each([
    ["limiter.example.org", 403],
    ["127.0.0.1.example.org:7778", 403],
    ["127.0.0.1:7778", 200],
    ["[::1]:7778", 200],
    ["LocalHost:7778", 200],
  ])("is shown without a token only under an address or localhost: %s", async (host, status) => {
    for (const path of ["/", "/v1/rules", "/metrics"]) {
      const { until, socket } = await connectRaw(
        service.port,
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      );
      expect(await until(/\r\n\r\n/)).toContain(`HTTP/1.1 ${status} `);
      socket.destroy();
    }
  });

  test("shows the rules and policies", async () =>
    expect(await (await get("/v1/rules")).json()).toEqual({ policies, default: "demo", rules }));

  test("counts decisions, by policy and rule", async () => {
    await service.post("/v1/consume", { policy: "burst", key: "counted", cost: 0.5 });
    await service.post("/v1/consume", { fields: { user: "mallory" } });
    const answer = await get("/metrics");
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await answer.text();
    expect(text).toMatch(/limiter_decisions_total\{policy="burst",rule="",outcome="allowed"\} \d/);
    expect(text).toMatch(/limiter_decisions_total\{policy="",rule="banned",outcome="refused"\} \d/);
    expect(text).toContain("process_cpu_seconds_total");
  });
});

describe("a problem", () => {
  const json = { "Content-Type": "application/json" };
  test.each([
    ["GET", "/nowhere", {}, undefined, 404],
    ["POST", "/v1/take", json, "{}", 404],
    ["GET", "/v1/consume", {}, undefined, 405],
    ["DELETE", "/v1/rules", {}, undefined, 405],
    ["POST", "/metrics", json, "{}", 405],
    ["POST", "/v1/consume", { "Content-Type": "text/plain" }, "{}", 415],
    ["POST", "/v1/consume", { ...json, "Content-Encoding": "gzip" }, "{}", 415],
    ["POST", "/v1/consume", json, '{"key": ', 400],
    ["POST", "/v1/consume", json, "", 400],
    ["POST", "/v1/consume", json, new Uint8Array([0x22, 0xff, 0x22]), 400],
    ["POST", "/v1/consume", json, '"go"', 422],
    ["POST", "/v1/consume", json, '{"key": 5, "cost": 0}', 422],
    ["POST", "/v1/consume?status=2", json, "{}", 422],
    ["POST", "/v1/consume?__proto__=1", json, "{}", 422],
    ["POST", "/v1/consume", json, " ".repeat(256 * 1024 + 1), 413],
    ["POST", "/v1/consume", { ...json, Origin: "http://example.org" }, "{}", 403],
    ["GET", "/v1/alive", { Origin: "null" }, undefined, 403],
  ] as const)("%s %s %j is refused in words", async (method, path, headers, body, status) => {
    const answer = await fetch(service.origin + path, { method, headers, body: body ?? null });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.json()).toMatchObject({
      type: "about:blank",
      status,
      detail: expect.stringMatching(/../),
    });
  });

  test("names the verbs and the methods, and each field's faults", async () => {
    expect((await (await service.post("/v1/take", {})).json()).detail).toContain("consume, peek, refund");
    const method = await fetch(`${service.origin}/v1/rules`, { method: "PUT" });
    expect(method.headers.get("allow")).toBe("GET, HEAD, POST");
    const invalid = await (await service.post("/v1/consume", { key: 5, cost: 0 })).json();
    expect(Object.keys(invalid.errors)).toEqual(["key", "cost"]);
  });

  test("of the service's own is a 500 without details, and is reported", async () => {
    const reported: unknown[] = [];
    const fault = new Error("a secret");
    const failing = await startHttp({
      report: (error) => reported.push(error),
      configured: () => {
        throw fault;
      },
    });
    const answer = await fetch(`${failing.origin}/v1/rules`);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("secret");
    expect(reported).toEqual([fault]);
    await failing.close();
  });
});

test("refuses clients without the token, but for /v1/alive", async () => {
  const token = "a token of more than thirty-two characters";
  const guarded = await startHttp({ token });
  const send = (authorization?: string) =>
    guarded.post("/v1/consume", {}, authorization === undefined ? {} : { Authorization: authorization });
  for (const [given, challenge] of [
    [undefined, "Bearer"],
    [`Bearer ${token}x`, 'Bearer error="invalid_token"'],
    [`Bearer ${token.slice(1)}`, 'Bearer error="invalid_token"'],
    ["Bearer", 'Bearer error="invalid_token"'],
    [`Basic ${token}`, 'Bearer error="invalid_token"'],
  ]) {
    const answer = await send(given);
    expect([given, answer.status, answer.headers.get("www-authenticate")]).toEqual([given, 401, challenge]);
  }
  expect((await send(`Bearer ${token}`)).status).toBe(200);
  expect((await send(`bearer ${token}`)).status).toBe(200);
  for (const path of ["/", "/v1/rules", "/v1/openapi.json", "/metrics", "/nowhere"])
    expect((await fetch(guarded.origin + path)).status).toBe(401);
  expect((await fetch(`${guarded.origin}/v1/alive`)).status).toBe(200);
  await guarded.close();
});

test("rejects an invalid address, and one in use", async () => {
  const engine = idempotent({ execute: () => Promise.reject(new Error("unused")) });
  await expect(listenOnHttp("limiter", engine)).rejects.toThrow("host and a port");
  await expect(listenOnHttp(`127.0.0.1:${service.port}`, engine)).rejects.toThrow("EADDRINUSE");
});
