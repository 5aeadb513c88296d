/**
 * Tests the description of the HTTP API against the service.
 * Every call is made, and answers as described.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storeFrom } from "../lib/limiter/index.ts";
import { type HttpService, startHttp } from "../testing/http-service.ts";
import { callsOf, checksOf, type DocumentedCall, documentSchema } from "../testing/openapi-document.ts";
import { connectRaw, wireRequest } from "../testing/raw-http.ts";
import type { Answer } from "./answers.ts";
import { openApiDocument } from "./openapi.ts";

const document = documentSchema.parse(JSON.parse(JSON.stringify(openApiDocument)));
const calls = callsOf(document);
const checks = checksOf(document);
const json = { "Content-Type": "application/json" };

const policies = {
  demo: { algorithm: "fixed-window", limit: 3, windowMs: 60_000 },
  bucket: { algorithm: "leaky-bucket", capacity: 3, leakPerSecond: 0.001 },
  tokens: { algorithm: "token-bucket", capacity: 3, refillPerSecond: 0.001 },
  log: { algorithm: "sliding-log", limit: 3, windowMs: 60_000 },
  gaps: { algorithm: "ema" },
  tiered: {
    algorithm: "tiered",
    freePerDay: 1,
    beyond: { algorithm: "fixed-window", limit: 1, windowMs: 60_000 },
  },
  watched: { algorithm: "fixed-window", limit: 1, windowMs: 60_000, mode: "shadow" },
};
const rules = [
  { name: "allowed", when: { user: "ada" }, answer: "allow" },
  { name: "banned", when: { user: "mallory" }, answer: "deny", tell: "No." },
  { name: "watched", when: { user: { any: true } }, key: ["user"], policy: "watched" },
  { name: "by user", when: { user: { any: true } }, key: ["user"], policy: "demo", tell: "Slow down." },
];

const token = "a token of more than thirty-two characters";
let service: HttpService;
let guarded: HttpService;
beforeAll(async () => {
  service = await startHttp({ policies, rules });
  guarded = await startHttp({ token });
});
afterAll(() => Promise.all([service.close(), guarded.close()]));

/** Fails unless the answer is as described. */
async function expectDescribed(call: DocumentedCall, answer: Response): Promise<number> {
  const headers = Object.fromEntries(answer.headers);
  checks.expectAnswer(call, { status: answer.status, headers, text: await answer.text() });
  return answer.status;
}

/** A body that is good for the call. */
function good({ operationId }: DocumentedCall, request: object = {}): string {
  return JSON.stringify(operationId === "wait" ? { ...request, maxWaitMs: 0 } : request);
}

function send(
  call: DocumentedCall,
  { query = "", to = service, ...init }: RequestInit & { query?: string; to?: HttpService } = {},
) {
  const method = call.method.toUpperCase();
  return fetch(to.origin + call.path + query, { method, headers: method === "POST" ? json : {}, ...init });
}

/** The last answer to more requests than a connection may have in flight. */
async function hundredAndFirst(call: DocumentedCall, { port }: HttpService): Promise<Response> {
  const connection = await connectRaw(port, wireRequest(call.path, "{}").repeat(101));
  const [head = "", body = ""] =
    (await connection.closed())
      .split(/(?=HTTP\/1\.1 503)/)
      .at(-1)
      ?.split("\r\n\r\n") ?? [];
  const [first = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line): [string, string] => [
    line.replace(/:.*/, ""),
    line.replace(/^.*?: /, ""),
  ]);
  return new Response(body, { status: Number(first.split(" ")[1]), headers });
}

test("is a valid OpenAPI 3.1 document: every part, reference and schema", () => {
  checks.compileAll();
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
  expect(references.length).toBeGreaterThan(50);
  for (const [, kind = "", name = ""] of references)
    expect(Object.entries(document.components).find(([key]) => key === kind)?.[1]).toHaveProperty(name);
  expect(new Set(calls.map(({ operationId }) => operationId)).size).toBe(calls.length);
});

test("describes each call's success and each of its errors", async () => {
  const seen = new Set<string>();
  async function expectStatus(
    call: DocumentedCall,
    status: number,
    answer: Promise<Response>,
  ): Promise<void> {
    expect([call.operationId, await expectDescribed(call, await answer)]).toEqual([call.operationId, status]);
    seen.add(`${call.operationId} ${status}`);
  }
  const failing = await startHttp({
    policies: { shut: { ...policies.demo, outage: "closed" } },
    store: storeFrom(() => Promise.reject(new Error("the store is away"))),
  });
  const broken = await startHttp({
    report: () => {},
    execute: () => Promise.reject(new Error("a fault of our own")),
  });

  const execute = () => new Promise<Answer>((resolve) => setImmediate(resolve, { reset: true }));
  const crowded = await startHttp({ execute });

  for (const call of calls) {
    const isOpen = call.operationId === "alive";
    await expectStatus(call, 403, send(call, { headers: { Origin: "http://example.org" } }));
    if (!isOpen) await expectStatus(call, 401, send(call, { to: guarded }));
    await expectStatus(call, 200, send(call, call.requestBody ? { body: good(call) } : {}));
    if (!call.requestBody) continue;
    await expectStatus(
      call,
      200,
      send(call, { body: '[{"policy": "demo", "id": 1}, {"id": "?", "cost": "?"}]' }),
    );
    await expectStatus(call, 400, send(call, { body: "{" }));
    await expectStatus(call, 413, send(call, { body: " ".repeat(300_000) }));
    await expectStatus(call, 415, send(call, { body: "{}", headers: {} }));
    await expectStatus(call, 422, send(call, { body: '{"cost": 0}' }));
    await expectStatus(call, 500, send(call, { to: broken, body: good(call) }));
    await expectStatus(call, 503, hundredAndFirst(call, crowded));
    if (call.operationId !== "rules")
      await expectStatus(call, 503, send(call, { to: failing, body: good(call), query: "?status=1" }));
    if (!call.responses["429"]) continue;
    const consume = calls.find(({ operationId }) => operationId === "consume");
    if (consume) await send(consume, { body: '{"key": "spent", "cost": 3}' });
    await expectStatus(call, 429, send(call, { body: good(call, { key: "spent" }), query: "?status=1" }));
  }

  const described = calls.flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => `${operationId} ${status}`),
  );
  expect([...seen].toSorted()).toEqual(described.toSorted());
  await Promise.all([failing.close(), broken.close(), crowded.close()]);
});

describe("any request is answered as described", () => {
  const posts = calls.filter(({ requestBody }) => requestBody);
  const call = fc.constantFrom(...posts);
  const query = fc.constantFrom("", "?status=1");
  const small = fc.oneof(fc.constant(0), fc.double(), fc.integer({ min: -1, max: 5 }));
  const policy = fc.constantFrom(...Object.keys(policies));
  const key = fc.constantFrom("a", "b");
  const field = fc.constantFrom("ada", "mallory", "grace");
  // Short, to keep the test quick.
  const maxWaitMs = fc.constantFrom(0, 1);
  const usual = fc.oneof(
    fc.record({ policy, key, id: fc.integer(), cost: fc.constantFrom(1, 0.5, 10) }, { requiredKeys: [] }),
    fc.record({ policy, key, maxWaitMs }),
    fc.record({ fields: fc.record({ user: field }) }),
    fc.record({ fields: fc.record({ user: field }), maxWaitMs }),
  );
  const odd = fc.record(
    {
      id: fc.oneof(fc.string(), fc.integer(), fc.double()),
      verb: fc.constantFrom("consume", "peek", "take"),
      policy: fc.oneof(policy, fc.string()),
      key: fc.oneof(key, fc.string({ unit: "binary" })),
      fields: fc.dictionary(
        fc.oneof(fc.constantFrom("user", "__proto__", "toString"), fc.string()),
        fc.oneof(field, fc.string(), small, fc.boolean(), fc.constant(null)),
      ),
      cost: small,
      maxWaitMs: fc.oneof(maxWaitMs, fc.constant("long")),
      more: fc.anything(),
    },
    { requiredKeys: [] },
  );
  const text = (value: unknown) => JSON.stringify(value);
  const body = fc.oneof(
    { weight: 4, arbitrary: usual.map(text) },
    { weight: 2, arbitrary: odd.map(text) },
    { weight: 2, arbitrary: fc.array(fc.oneof(usual, odd), { maxLength: 5 }).map(text) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
    { weight: 1, arbitrary: fc.uint8Array() },
  );

  test("as JSON, or as anything else", async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(call, query, body, async (call, query, body) => {
        statuses.add(await expectDescribed(call, await send(call, { query, body })));
      }),
      { numRuns: 2_000 },
    );
    expect([...statuses].toSorted()).toEqual([200, 400, 422, 429]);
  });
});
