import { describe, expect, onTestFinished, test } from "vitest";
import { databaseStore } from "../db/limiter-store.ts";
import { memoryStore, type Store, storeFrom } from "../lib/limiter/index.ts";
import { redisStore } from "../lib/limiter/redis.ts";
import { startRedis } from "../scripts/cluster/start-redis.ts";
import { temporaryDatabase } from "../testing/database.ts";
import { connectedRedis } from "../testing/redis-connection.ts";
import { configurationOf } from "../testing/service-configuration.ts";
import type { Answer, DecisionAnswer } from "./answers.ts";
import { createEngine, type DecisionEvent, type EngineSettings } from "./engine.ts";
import type { Request } from "./messages.ts";
import type { PeerEvent } from "./peers/message.ts";

const morning = Date.UTC(2026, 5, 1, 6);

/** Each with a clock that tests set, or that stands still as far as they can see. */
const stores: Record<string, (clock: () => number) => Promise<Store>> = {
  memory: async (clock) => memoryStore({ clock }),
  SQLite: async (clock) => databaseStore(temporaryDatabase(), clock),
  Redis: async (clock) => {
    const server = await startRedis();
    onTestFinished(() => server.stop());
    return redisStore({ client: await connectedRedis(server.url), clock, timeoutMs: 600_000 });
  },
};

const bucket = (capacity: number, leakPerSecond = 0.1) => ({
  algorithm: "leaky-bucket",
  capacity,
  leakPerSecond,
});

async function service(
  written: { policies: Record<string, unknown>; rules?: unknown[] },
  { store = "memory", ...settings }: { store?: string } & Partial<Omit<EngineSettings, "store">> = {},
) {
  let now = morning;
  const decisions: DecisionEvent[] = [];
  const counted: PeerEvent[] = [];
  const reports: string[] = [];
  const made = await stores[store]?.(() => now);
  if (!made) throw new Error(`There is no store ${store}`);
  const engine = createEngine({
    configuration: configurationOf(written),
    store: made,
    onDecision: (event) => decisions.push(event),
    onCounted: (event) => counted.push(event),
    report: (error, policy) => reports.push(`${policy}: ${String(error)}`),
    ...settings,
  });
  const execute = (request: Partial<Request>) => engine.execute({ verb: "consume", ...request });
  const decided = async (request: Partial<Request>): Promise<DecisionAnswer> => {
    const answer = await execute(request);
    if (!("allowed" in answer)) throw new Error(`No decision: ${JSON.stringify(answer)}`);
    return answer;
  };
  return {
    engine,
    execute,
    decided,
    decisions,
    counted,
    reports,
    store: made,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

const isAllowed = (answer: Answer) => "allowed" in answer && answer.allowed;
const deciderOf = ({ allowed, rule, policy }: DecisionAnswer) => [allowed, rule, policy];

describe.each(Object.keys(stores))("with the states in %s", (store) => {
  test("decides a policy and a key with each verb", async () => {
    const { execute } = await service(
      { policies: { demo: { algorithm: "fixed-window", limit: 2, windowMs: 800 } } },
      { store },
    );
    const reason = { algorithm: "fixed-window", neverFits: false, limit: 2, windowMs: 800, timeZone: null };
    const answer = { limit: 2, rule: null, policy: "demo" };
    const passed = { ...answer, allowed: true, retryAfterMs: 0, resetAfterMs: 800 };
    const refused = { ...answer, allowed: false, remaining: 0, retryAfterMs: 800, resetAfterMs: 800 };
    const key = "\u0000 a:b \ud83d\ude00";
    expect(await execute({ verb: "peek", key })).toEqual({
      ...passed,
      remaining: 2,
      resetAfterMs: 0,
      reason: { ...reason, used: 0 },
    });
    expect(await execute({ id: 7, key })).toEqual({
      ...passed,
      id: 7,
      remaining: 1,
      reason: { ...reason, used: 0 },
    });
    expect(await execute({ policy: "demo", key })).toEqual({
      ...passed,
      remaining: 0,
      reason: { ...reason, used: 1 },
    });
    expect(await execute({ id: "x", key })).toEqual({ ...refused, id: "x", reason: { ...reason, used: 2 } });
    expect(await execute({ key: "" })).toMatchObject({ allowed: true, remaining: 1 });
    expect(await execute({})).toMatchObject({ allowed: true, remaining: 0 });
    expect(await execute({ id: 8, verb: "refund", key })).toEqual({ id: 8, refunded: true });
    expect(await execute({ verb: "peek", key })).toMatchObject({ allowed: true, remaining: 1 });
    expect(await execute({ verb: "wait", maxWaitMs: 0, key })).toMatchObject({ allowed: true });
    expect(await execute({ verb: "wait", maxWaitMs: 799, key })).toEqual({
      ...refused,
      reason: { ...reason, used: 2 },
    });
    expect(await execute({ id: 9, verb: "reset", key })).toEqual({ id: 9, reset: true });
    expect(await execute({ verb: "refund", key })).toEqual({ refunded: false });
    expect(await execute({ cost: 3, key })).toMatchObject({ allowed: false, reason: { neverFits: true } });
    expect(await execute({ cost: 2, key })).toMatchObject({ allowed: true, remaining: 0 });
  });

  test("answers with the rule that refuses, and counts nothing under the others", async () => {
    const { decided, counted } = await service(
      {
        policies: { all: bucket(4), each: bucket(2), login: bucket(1) },
        rules: [
          { name: "staff", when: { user: ["root"] }, answer: "allow", tell: "come in" },
          { name: "all requests", policy: "all", tell: "we are busy" },
          { name: "blocked", when: { address: { cidr: "192.0.2.0/24" } }, answer: "deny", tell: "go away" },
          { name: "by user", key: ["user"], policy: "each" },
          { name: "logins", when: { path: "/login" }, key: ["user"], policy: "login", tell: "slowly" },
        ],
      },
      { store },
    );
    const fields = { user: "ada" };
    expect(await decided({ fields: { user: "root" } })).toEqual({
      ...{ allowed: true, limit: null, remaining: null, retryAfterMs: 0, resetAfterMs: 0 },
      ...{ reason: { fixed: "allow" }, rule: "staff", policy: null, message: "come in" },
    });
    expect(await decided({ fields: { ...fields, address: "192.0.2.9" } })).toMatchObject({
      ...{ allowed: false, reason: { fixed: "deny" }, rule: "blocked", policy: null, message: "go away" },
    });
    expect(counted).toEqual([]);
    // The one with least remaining is named.
    expect(deciderOf(await decided({ fields: { ...fields, path: "/login" } }))).toEqual([
      true,
      "logins",
      "login",
    ]);
    for (let times = 0; times < 3; times += 1)
      expect(await decided({ fields: { ...fields, path: "/login" } })).toMatchObject({
        ...{ allowed: false, rule: "logins", policy: "login", message: "slowly", retryAfterMs: 10_000 },
      });
    const second = await decided({ fields });
    expect([second.allowed, second.rule, second.remaining, second.message]).toEqual([
      true,
      "by user",
      0,
      undefined,
    ]);
    expect(deciderOf(await decided({ fields }))).toEqual([false, "by user", "each"]);
    for (const user of ["bob", "cyd"])
      expect(await decided({ fields: { user } })).toMatchObject({ allowed: true });
    expect(await decided({ fields: { user: "dee" } })).toMatchObject({
      rule: "all requests",
      message: "we are busy",
    });
    expect(await decided({ fields: { user: "dee", address: "192.0.2.9" } })).toMatchObject({
      rule: "all requests",
    });
    expect(counted.filter(({ policy }) => policy === "all")).toHaveLength(4);
    expect(counted.map(({ kind, policy, key, cost }) => [kind, policy, key, cost]).slice(0, 3)).toEqual([
      ["consume", "all", "all:leaky-bucket:rule:all%20requests:", 1],
      ["consume", "each", "each:leaky-bucket:rule:by%20user:user=ada", 1],
      ["consume", "login", "login:leaky-bucket:rule:logins:user=ada", 1],
    ]);
  });

  test("refunds and resets under all rules that count, and lists all matching rules without counting", async () => {
    const { execute, decided, counted } = await service(
      {
        policies: {
          all: bucket(3),
          each: bucket(1),
          strict: { ...bucket(1), mode: "shadow" },
          none: { ...bucket(1), mode: "off" },
        },
        rules: [
          { name: "all requests", policy: "all" },
          { name: "by user", key: ["user"], policy: "each" },
          { name: "strict", policy: "strict", key: ["user"] },
          { name: "off", policy: "none" },
          { name: "never", when: { user: { not: { any: true } } }, policy: "all" },
          { name: "end", answer: "allow" },
          { name: "below", policy: "each" },
        ],
      },
      { store },
    );
    const fields = { user: "ada" };
    expect(await execute({ verb: "refund", fields })).toEqual({ refunded: false });
    expect(deciderOf(await decided({ fields }))).toEqual([true, "end", null]);
    expect(deciderOf(await decided({ fields }))).toEqual([false, "by user", "each"]);
    const listing = {
      all: [true, "all requests", "all"],
      off: [true, "off", "none"],
      end: [true, "end", null],
    };
    const listed = await execute({ id: 1, verb: "rules", fields });
    if (!("rules" in listed)) throw new Error("No rules");
    expect(listed.rules.map(deciderOf)).toEqual([
      listing.all,
      [false, "by user", "each"],
      [false, "strict", "strict"],
      listing.off,
      listing.end,
      [true, "below", "each"],
    ]);
    expect(listed.rules.map(({ shadow }) => shadow)).toEqual([
      undefined,
      undefined,
      true,
      undefined,
      undefined,
      undefined,
    ]);
    expect(listed.rules.map(({ remaining }) => remaining)).toEqual([2, 0, 0, null, null, 1]);
    expect(await execute({ verb: "refund", fields })).toEqual({ refunded: true });
    expect(await execute({ verb: "peek", fields })).toMatchObject({ allowed: true });
    expect(deciderOf(await decided({ fields }))).toEqual([true, "end", null]);
    expect(await execute({ verb: "reset", fields })).toEqual({ reset: true });
    expect(deciderOf(await decided({ fields }))).toEqual([true, "end", null]);
    const kinds = counted.map(({ kind, policy }) => `${kind} ${policy}`);
    const three = (kind: string) => ["all", "each", "strict"].map((policy) => `${kind} ${policy}`).toSorted();
    expect([0, 3, 6, 9, 12].map((from) => kinds.slice(from, from + 3).toSorted())).toEqual(
      ["consume", "refund", "consume", "reset", "consume"].map(three),
    );
  });

  test("allows exactly the limit of 1,000 simultaneous requests for one key", async () => {
    const { execute, engine } = await service(
      {
        policies: { a: bucket(70, 0.0001), b: bucket(1_000, 0.0001) },
        rules: [
          { name: "b", policy: "b" },
          { name: "a", policy: "a" },
        ],
      },
      { store },
    );
    const direct = await Promise.all(Array.from({ length: 1_000 }, () => execute({ policy: "a" })));
    expect(direct.filter(isAllowed)).toHaveLength(70);
    const byRules = await Promise.all(
      Array.from({ length: 300 }, () => engine.execute({ verb: "consume", fields: {} })),
    );
    expect(byRules.filter(isAllowed)).toHaveLength(70);
  });

  test("counts a peer's grants, beyond the limit too, without publishing them", async () => {
    const { engine, execute, counted } = await service(
      { policies: { demo: bucket(5), ema: { algorithm: "ema" } } },
      { store },
    );
    const other = await service({ policies: { demo: bucket(5) } });
    await other.execute({ policy: "demo", key: "x", cost: 3 });
    for (const event of other.counted) await engine.count(event);
    expect(await execute({ verb: "peek", policy: "demo", key: "x" })).toMatchObject({ remaining: 2 });
    await other.execute({ verb: "refund", policy: "demo", key: "x", cost: 1 });
    await engine.count({
      kind: "refund",
      policy: "demo",
      key: "demo:leaky-bucket:key:x",
      cost: 1,
      at: morning,
    });
    expect(await execute({ verb: "peek", policy: "demo", key: "x" })).toMatchObject({ remaining: 3 });
    await engine.count({
      kind: "consume",
      policy: "demo",
      key: "demo:leaky-bucket:key:x",
      cost: 4,
      at: morning,
    });
    expect(await execute({ verb: "peek", policy: "demo", key: "x" })).toMatchObject({
      allowed: false,
      remaining: 0,
    });
    await engine.count({
      kind: "reset",
      policy: "demo",
      key: "demo:leaky-bucket:key:x",
      cost: 1,
      at: morning,
    });
    await engine.count({ kind: "consume", policy: "unheard of", key: "x", cost: 1, at: morning });
    expect(await execute({ verb: "peek", policy: "demo", key: "x" })).toMatchObject({ remaining: 5 });
    expect(counted).toEqual([]);
  });
});

test.each([
  [{ policy: "dem" }, 'there is no policy "dem". Did you mean demo? There are demo, ema'],
  [{ verb: "refund" as const, policy: "ema" }, 'the policy "ema" cannot refund: its algorithm is ema'],
])("answers %j with its fault: %s", async (request, error) => {
  const { execute, counted, decisions } = await service({
    policies: { demo: bucket(5), ema: { algorithm: "ema" } },
  });
  expect(await execute({ id: "me", ...request })).toEqual({ id: "me", error });
  expect([...counted, ...decisions]).toEqual([]);
});

test("limits nothing where no rule matches, or none that counts", async () => {
  const { decided } = await service({
    policies: {
      demo: bucket(1),
      shadow: { ...bucket(1), mode: "shadow" },
      off: { ...bucket(1), mode: "off" },
    },
    rules: [{ name: "a", when: { user: "ada" }, policy: "off" }],
  });
  const unlimited = {
    allowed: true,
    limit: null,
    remaining: null,
    retryAfterMs: 0,
    resetAfterMs: 0,
    reason: { unlimited: true },
    rule: null,
  };
  for (let times = 0; times < 3; times += 1) {
    expect(await decided({ fields: {} })).toEqual({ ...unlimited, policy: null });
    expect(await decided({ fields: { user: "ada" } })).toEqual({ ...unlimited, policy: null });
    expect(await decided({ policy: "off" })).toEqual({ ...unlimited, policy: "off" });
    expect(await decided({ policy: "shadow" })).toEqual({ ...unlimited, policy: "shadow" });
  }
});

test("counts in shadow without refusing, and of refused requests only those with the same key", async () => {
  const { decided, decisions } = await service({
    policies: { live: bucket(2), strict: { ...bucket(1), mode: "shadow" } },
    rules: [
      { name: "same", key: ["user"], policy: "strict" },
      { name: "live", key: ["user"], policy: "live" },
      { name: "other", policy: "strict" },
    ],
  });
  for (let times = 0; times < 3; times += 1) await decided({ fields: { user: "ada" } });
  expect(decisions.map(({ rule, allowed, shadow }) => [rule, allowed, shadow])).toEqual([
    ["same", true, true],
    ["other", true, true],
    ["live", true, false],
    ["same", false, true],
    ["other", false, true],
    ["live", true, false],
    ["same", false, true],
    ["live", false, false],
  ]);
});

describe("while the store fails", () => {
  const broken = storeFrom(() => Promise.reject(new Error("the store is gone")));

  test("decides by each policy's outage, and answers a refund or reset with an error", async () => {
    const configuration = configurationOf({
      policies: {
        closed: { ...bucket(5), outage: "closed" },
        open: { ...bucket(5), outage: "open" },
        local: { ...bucket(4), localShare: 0.5 },
      },
      rules: [
        { name: "open", policy: "open" },
        { name: "closed", when: { really: true }, policy: "closed", tell: "later" },
      ],
    });
    const reports: string[] = [];
    const engine = createEngine({
      configuration,
      store: broken,
      report: (error, policy) => reports.push(`${policy}: ${error}`),
    });
    const unlimited = {
      limit: null,
      remaining: null,
      retryAfterMs: 0,
      resetAfterMs: 0,
      reason: { unavailable: true },
    };
    for (const verb of ["consume", "peek"] as const) {
      expect(await engine.execute({ verb, policy: "closed" })).toEqual({
        ...unlimited,
        allowed: false,
        rule: null,
        policy: "closed",
      });
      expect(await engine.execute({ verb, policy: "open" })).toEqual({
        ...unlimited,
        allowed: true,
        rule: null,
        policy: "open",
      });
      expect(await engine.execute({ verb, fields: {} })).toEqual({
        ...unlimited,
        allowed: true,
        rule: "open",
        policy: "open",
      });
      expect(await engine.execute({ verb, fields: { really: true } })).toEqual({
        ...unlimited,
        allowed: false,
        rule: "closed",
        policy: "closed",
        message: "later",
      });
    }
    expect(reports.slice(0, 2)).toEqual([
      "closed: Error: the store is gone",
      "open: Error: the store is gone",
    ]);
    const answers = [];
    for (let times = 0; times < 3; times += 1)
      answers.push(await engine.execute({ verb: "consume", policy: "local" }));
    expect(answers.map(isAllowed)).toEqual([true, true, false]);
    expect(await engine.execute({ verb: "wait", policy: "closed", maxWaitMs: 1_000 })).toMatchObject({
      allowed: false,
    });
    const error = "the limiter could not do this: the states cannot be reached";
    expect(await engine.execute({ id: 1, verb: "refund", policy: "local" })).toEqual({
      id: 1,
      error,
      unavailable: true,
    });
    expect(await engine.execute({ id: 2, verb: "reset", policy: "local" })).toEqual({
      id: 2,
      error,
      unavailable: true,
    });
    await engine.count({ kind: "refund", policy: "local", key: "x", cost: 1, at: morning });
  });
});

test("applies a new configuration from the next request on, with the counts so far", async () => {
  const { engine, decided, execute } = await service({
    policies: { demo: bucket(2) },
    rules: [{ name: "old", policy: "demo" }],
  });
  for (let times = 0; times < 2; times += 1) await decided({ key: "x" });
  expect(await decided({ key: "x" })).toMatchObject({ allowed: false });
  engine.use(
    configurationOf({
      policies: { demo: bucket(3), more: bucket(1) },
      rules: [{ name: "new", policy: "more" }],
    }),
  );
  expect(await decided({ key: "x" })).toMatchObject({ allowed: true, limit: 3, remaining: 0 });
  expect(await decided({ fields: {} })).toMatchObject({ rule: "new" });
  engine.use(configurationOf({ policies: { more: bucket(1) } }));
  expect(await execute({ policy: "demo" })).toEqual({ error: 'there is no policy "demo". There are more' });
  expect(await decided({})).toMatchObject({ allowed: true, policy: "more" });
});

test("refuses nothing for a cost that only a policy in shadow cannot count", async () => {
  const { decided, reports } = await service({
    policies: {
      live: bucket(2),
      whole: { algorithm: "sliding-log", limit: 5, windowMs: 1_000, mode: "shadow" },
    },
    rules: [
      { name: "live", policy: "live" },
      { name: "whole", policy: "whole" },
    ],
  });
  expect(await decided({ fields: {}, cost: 0.5 })).toMatchObject({ allowed: true, rule: "live" });
  expect(reports).toEqual([]);
});
