import { describe, expect, it } from "vitest";
import { manualClock } from "../../testing/manual-clock.ts";
import {
  CostError,
  createPolicyLimiter,
  leakyBucket,
  type ManyStep,
  memoryStore,
  type Policy,
  type PolicyCheck,
  type PolicyLimiterSettings,
  type RequestDecision,
  slidingLog,
  storeFrom,
} from "./index.ts";

function policy(
  name: string,
  settings: Partial<Policy> & { capacity?: number; leakPerSecond?: number } = {},
) {
  const { capacity = 1, leakPerSecond = 1, ...rest } = settings;
  const algorithm = leakyBucket({ capacity, leakPerSecond });
  return { name, mode: "enforce", algorithm, outage: "closed", ...rest } satisfies Policy;
}

const check = (checked: Policy, counts = "same"): PolicyCheck => ({
  policy: checked,
  key: checked.name,
  counts,
});
const names = (checks: readonly PolicyCheck[]) => checks.map(({ key }) => key);
const summary = ({ refusal, heldBy, decisions, shadows, counted }: RequestDecision<PolicyCheck>) => ({
  refusal: refusal?.key,
  heldBy: heldBy?.key,
  decisions: names(decisions),
  shadows: names(shadows),
  counted: names(counted),
});

function limiterInMemory(settings: Omit<PolicyLimiterSettings<PolicyCheck>, "store" | "report"> = {}) {
  let isBroken = false;
  const inner = memoryStore({ clock: () => 1_000 });
  const reports: string[] = [];
  const store = storeFrom((keys, step, now) =>
    isBroken ? Promise.reject(new Error("gone")) : inner.updateMany(keys, step, now),
  );
  const limiter = createPolicyLimiter<PolicyCheck>({
    ...settings,
    store,
    report: (_, { name }) => reports.push(name),
  });
  const breakStore = () => {
    isBroken = true;
  };
  return { limiter, reports, breakStore };
}

describe("consumeSync", () => {
  it("decides, counts and reports one policy in memory as consume does", async () => {
    const counted: [string, number][] = [];
    const limiter = createPolicyLimiter<PolicyCheck>({
      store: memoryStore({ clock: () => 1_000 }),
      onCounted: ({ kind, cost, at }) => counted.push([kind, cost + at]),
    });
    const checks = [check(policy("narrow", { capacity: 2 }))];
    const first = limiter.consumeSync(checks, 1);
    const second = await limiter.consume(checks, 1);
    expect(first).toEqual({ ...second, decisions: first?.decisions });
    expect([first, second].map((each) => each?.decisions[0]?.decision.remaining)).toEqual([1, 0]);
    expect(limiter.consumeSync(checks, 1)).toEqual(await limiter.consume(checks, 1));
    expect(counted).toEqual([
      ["consume", 1_001],
      ["consume", 1_001],
    ]);
  });

  it("returns undefined and counts nothing for other costs, modes and stores, and for several policies", async () => {
    const limiter = createPolicyLimiter<PolicyCheck>({ store: memoryStore() });
    const one = check(policy("one"));
    expect(limiter.consumeSync([one], 2)).toBeUndefined();
    expect(limiter.consumeSync([one, check(policy("two"))], 1)).toBeUndefined();
    expect(limiter.consumeSync([check(policy("shadow", { mode: "shadow" }))], 1)).toBeUndefined();
    const elsewhere = createPolicyLimiter<PolicyCheck>({ store: storeFrom(memoryStore().updateMany) });
    expect(elsewhere.consumeSync([one], 1)).toBeUndefined();
    expect((await limiter.consume([one], 1)).refusal).toBeUndefined();
  });
});

describe("the decision about several policies", () => {
  it("counts in all when all allow, and in none when one refuses", async () => {
    const { limiter } = limiterInMemory();
    const [wide, narrow] = [check(policy("wide", { capacity: 3 })), check(policy("narrow"))];
    expect(summary(await limiter.consume([wide, narrow], 1))).toEqual({
      refusal: undefined,
      heldBy: undefined,
      decisions: ["wide", "narrow"],
      shadows: [],
      counted: ["wide", "narrow"],
    });
    for (let times = 0; times < 3; times += 1)
      expect(summary(await limiter.consume([wide, narrow], 1))).toMatchObject({
        refusal: "narrow",
        counted: [],
      });
    expect((await limiter.consume([wide], 2)).refusal).toBeUndefined();
  });

  it("reports the refusal with the longest wait, and before it one that can never pass", async () => {
    const { limiter } = limiterInMemory();
    const quick = check(policy("quick", { leakPerSecond: 10 }));
    const slow = check(policy("slow", { leakPerSecond: 0.1 }));
    const checks = [quick, slow, check(policy("wide", { capacity: 9 }))];
    await limiter.consume(checks, 1);
    expect((await limiter.consume(checks, 1)).refusal?.key).toBe("slow");
    const small = check(policy("small", { capacity: 0.5 }));
    expect((await limiter.consume([...checks, small], 1)).refusal?.key).toBe("small");
  });

  it("holds a request over the limit of a policy in mode hold, and counts none there that another refuses", async () => {
    const { limiter } = limiterInMemory();
    const holding = check(policy("holding", { mode: "hold", capacity: 2 }));
    const user = check(policy("user"));
    await limiter.consume([holding, user], 1);
    expect(summary(await limiter.consume([holding, user], 1))).toMatchObject({
      refusal: "user",
      heldBy: undefined,
      decisions: ["user"],
    });
    expect(summary(await limiter.consume([holding], 1))).toMatchObject({ counted: ["holding"] });
    expect(summary(await limiter.consume([holding], 1))).toMatchObject({ heldBy: "holding", counted: [] });
  });

  it("checks a shadow for a refused request only when a policy of its own count refused it", async () => {
    const { limiter } = limiterInMemory();
    const [post, user] = [check(policy("post"), "post"), check(policy("user", { capacity: 2 }), "user")];
    const shadow = check(policy("shadow", { mode: "shadow", capacity: 9 }), "post");
    const shadowsOf = async (...checks: PolicyCheck[]) => names((await limiter.consume(checks, 1)).shadows);
    expect(await shadowsOf(post, user, shadow)).toEqual(["shadow"]);
    expect(await shadowsOf(post, user, shadow)).toEqual(["shadow"]);
    expect(await shadowsOf(user)).toEqual([]);
    expect(await shadowsOf(user, shadow)).toEqual([]);
    expect(await shadowsOf(post, user, shadow)).toEqual([]);
  });

  it("changes no state by a refusal that the request waits for", async () => {
    const { limiter } = limiterInMemory();
    const live = check(policy("live"));
    const log = { ...policy("log"), algorithm: slidingLog({ limit: 2, windowMs: 60_000 }) };
    const shadow = check({ ...log, mode: "shadow" });
    await limiter.consume([live, shadow], 1);
    const waits = await limiter.consume([live, shadow], 1, { waitableMs: 1_000 });
    expect(waits.waitsFor?.key).toBe("live");
    expect(summary(waits)).toMatchObject({ refusal: undefined, shadows: [], counted: [] });
    const { refusal } = await limiter.consume([live, shadow], 1, { waitableMs: 999 });
    expect(refusal?.decision.retryAfterMs).toBe(1_000);
    const refused = await limiter.consume([live, shadow], 1, { refusal });
    expect(refused.shadows[0]?.decision.allowed).toBe(false);
  });

  it("undoes one decision once, and reports that as a refund", async () => {
    const changes: string[] = [];
    const { limiter } = limiterInMemory({
      onCounted: ({ kind, check, cost, at }) => changes.push(`${kind} ${check.key} ${cost} ${at}`),
    });
    const checks = [check(policy("a", { capacity: 2 }))];
    const decision = await limiter.consume(checks, 1);
    await limiter.consume(checks, 1);
    await Promise.all([limiter.undo(decision, 1), limiter.undo(decision, 1)]);
    await limiter.undo(decision, 1);
    expect((await limiter.consume(checks, 2)).refusal?.key).toBe("a");
    expect(changes).toEqual(["consume a 1 1000", "consume a 1 1000", "refund a 1 1000"]);
  });

  it.each(["in the store", "in an outage of the store"])(
    "wakes a waiting request by an undo %s",
    async (place) => {
      const { clock, sleep, advance, sleepers } = manualClock(1_000);
      const { limiter, breakStore } = limiterInMemory({ clock, sleep });
      if (place !== "in the store") breakStore();
      const local = leakyBucket({ capacity: 1, leakPerSecond: 0.01 });
      const checks = [check(policy("a", { leakPerSecond: 0.01, outage: { local, share: 1 } }))];
      const decision = await limiter.consume(checks, 1);
      let refusal: string | undefined = "waits";
      const waiting = limiter.wait({
        plan: () => ({ checks, isDenied: false }),
        execute(_, decided) {
          refusal = decided.refusal?.key;
        },
        cost: 1,
        maxWaitMs: 200_000,
      });
      await advance(0);
      expect({ refusal, sleepers: sleepers.size }).toEqual({ refusal: "waits", sleepers: 2 });
      await limiter.undo(decision, 1);
      await advance(0);
      expect(refusal).toBeUndefined();
      await waiting;
    },
  );

  it("consumes and resets in the order of the calls, and reports that order", async () => {
    const events: string[] = [];
    const limiter = createPolicyLimiter<PolicyCheck>({
      store: memoryStore({ clock: () => 1_000 }),
      onCounted: ({ kind }) => events.push(kind),
    });
    const checks = [check(policy("a"))];
    const isAllowed = (decision: RequestDecision<PolicyCheck> | undefined) =>
      decision !== undefined && decision.refusal === undefined;
    const outcomes = await Promise.all([
      limiter.consume(checks, 1).then(isAllowed),
      isAllowed(limiter.consumeSync(checks, 1)),
      limiter.refund(checks, 1).then((refunded) => refunded.length),
      isAllowed(limiter.consumeSync(checks, 1)),
      limiter.reset(checks),
      isAllowed(limiter.consumeSync(checks, 1)),
      limiter.consume(checks, 1).then(isAllowed),
    ]);
    expect(outcomes).toEqual([true, false, 1, true, undefined, true, false]);
    expect(events).toEqual(["consume", "refund", "consume", "reset", "consume"]);
  });

  it("refunds the costs that one request has counted, and resets", async () => {
    const { limiter } = limiterInMemory();
    const checks = [check(policy("a")), check(policy("b", { capacity: 2 }))];
    const decision = await limiter.consume(checks, 1);
    await limiter.undo(decision, 1);
    expect((await limiter.peek(checks, 1)).refusal).toBeUndefined();
    expect(await limiter.refund(checks, 1)).toEqual([]);
    await limiter.consume(checks, 1);
    expect(names(await limiter.refund(checks, 1))).toEqual(["a", "b"]);
    await limiter.consume(checks, 1);
    await limiter.reset(checks);
    expect((await limiter.peek(checks, 1)).refusal).toBeUndefined();
  });
});

describe("40 requests at once for a shared limit of 10, of which 30 exceed limits of their own", () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  /** On a store that another request may use before and after each update. */
  function newLimiter() {
    const inner = memoryStore({ clock: () => 1_000 });
    const store = storeFrom(async <S, R>(keys: readonly string[], step: ManyStep<S, R>) => {
      await turn();
      const result = await inner.updateMany(keys, step);
      await turn();
      return result;
    });
    return createPolicyLimiter<PolicyCheck>({ store });
  }
  type Limiter = ReturnType<typeof newLimiter>;

  /** How many of the 10 others are allowed. */
  async function allowedOthers(isAllowed: (limiter: Limiter, checks: PolicyCheck[]) => Promise<boolean>) {
    const limiter = newLimiter();
    const shared = check(policy("shared", { capacity: 10, leakPerSecond: 0.001 }));
    const own = Array.from({ length: 40 }, (_, user) => check(policy(`own ${user}`), `${user}`));
    for (const used of own.slice(0, 30)) await limiter.consume([used], 1);
    const allowed = await Promise.all(own.map((each) => isAllowed(limiter, [shared, each])));
    expect(allowed.slice(0, 30)).not.toContain(true);
    return allowed.filter(Boolean).length;
  }

  it("refuses none of the 10 others because of a count that is about to be refunded", async () => {
    expect(await allowedOthers(async (limiter, checks) => !(await limiter.consume(checks, 1)).refusal)).toBe(
      10,
    );
  });

  it("would refuse some of them if it counted one policy after the other", async () => {
    expect(
      await allowedOthers(async (limiter, checks) => {
        const counted: RequestDecision<PolicyCheck>[] = [];
        for (const each of checks) {
          const decision = await limiter.consume([each], 1);
          if (!decision.refusal) counted.push(decision);
          else for (const earlier of counted) await limiter.undo(earlier, 1);
        }
        return counted.length === checks.length;
      }),
    ).toBeLessThan(10);
  });
});

describe("a caller's mistake", () => {
  const counted = (settings: Partial<Policy> = {}) =>
    check({ ...policy("log", settings), algorithm: slidingLog({ limit: 2, windowMs: 1_000 }) });

  it.each(["consume", "peek", "refund"] as const)("rejects a %s, and names the policy", async (verb) => {
    const { limiter, reports } = limiterInMemory();
    const open = counted({ outage: "open" });
    const fault = 'the policy "log" cannot count this: cost must be a whole number, but is 0.5';
    await expect(limiter[verb]([open], 0.5)).rejects.toThrow(new CostError(fault));
    await expect(limiter[verb]([check(policy("live")), open], 0.5)).rejects.toThrow(fault);
    expect(reports).toEqual([]);
  });

  it("rejects before a wait stands in a queue", async () => {
    const { clock, sleep, advance } = manualClock(1_000);
    const { limiter } = limiterInMemory({ clock, sleep });
    const checks = [counted()];
    const wait = (cost: number) =>
      limiter.wait({
        plan: () => ({ checks, isDenied: false }),
        execute: (_, { refusal }) => !refusal,
        cost,
        maxWaitMs: 2_000,
      });
    await limiter.consume(checks, 2);
    const first = wait(1);
    await advance(0);
    await expect(wait(0.5)).rejects.toThrow(CostError);
    expect(limiter.waiting()).toBe(1);
    await limiter.reset(checks);
    expect(await first).toBe(true);
  });

  it("refuses no request when the policy is in shadow, and is reported", async () => {
    const { limiter, reports } = limiterInMemory();
    const decision = await limiter.consume([check(policy("live")), counted({ mode: "shadow" })], 0.5);
    expect(summary(decision)).toMatchObject({ refusal: undefined, counted: ["live"], shadows: [] });
    expect(decision).toMatchObject({ unavailable: undefined, outage: false });
    expect(reports).toEqual(["log"]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])(
    "of a clock that gives %s rejects and saves nothing",
    async (time) => {
      let now = time;
      const limiter = createPolicyLimiter<PolicyCheck>({ store: memoryStore({ clock: () => now }) });
      const live = check(policy("live"));
      await expect(limiter.consume([live], 1)).rejects.toThrow("clock must give milliseconds");
      await expect(limiter.peek([live], 1)).rejects.toThrow("clock must give milliseconds");
      now = 1;
      expect((await limiter.consume([live], 1)).decisions[0]?.decision.allowed).toBe(true);
    },
  );
});

describe("in an outage of the store", () => {
  const local = (share: number) => ({ local: leakyBucket({ capacity: 2, leakPerSecond: 1 }), share });

  it("a closed policy refuses when others allow, and nothing is counted", async () => {
    const { limiter, reports, breakStore } = limiterInMemory();
    breakStore();
    const checks = [check(policy("local", { outage: local(0.5) })), check(policy("closed"))];
    for (let times = 0; times < 3; times += 1)
      expect(await limiter.consume(checks, 1)).toMatchObject({
        refusal: undefined,
        unavailable: { key: "closed" },
        outage: true,
      });
    expect(reports.slice(0, 2)).toEqual(["local", "closed"]);
    expect((await limiter.consume(checks.slice(0, 1), 2)).refusal).toBeUndefined();
  });

  it("local ones decide together in memory, open ones allow, and shadows are left out", async () => {
    const { limiter, breakStore } = limiterInMemory();
    breakStore();
    const checks = [
      check(policy("local", { outage: local(0.5) })),
      check(policy("open", { outage: "open" })),
      check(policy("shadow", { mode: "shadow" })),
    ];
    const decision = await limiter.consume(checks, 2);
    expect(decision.outage).toBe(true);
    expect(summary(decision)).toMatchObject({ decisions: ["local"], shadows: [], counted: ["local"] });
    expect((await limiter.consume(checks, 1)).refusal?.key).toBe("local");
    await limiter.undo(decision, 2);
    expect((await limiter.consume(checks, 2)).refusal).toBeUndefined();
    await expect(limiter.refund(checks, 1)).rejects.toThrow("gone");
  });
});
