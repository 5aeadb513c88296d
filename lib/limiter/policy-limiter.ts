import { type DecideSettings, decide, nothingDecided, type Outcome, type PolicyCheck } from "./decide.ts";
import { forecastOf, type QueueForecast } from "./forecast.ts";
import type { Policy } from "./policy.ts";
import { requireTime } from "./settings.ts";
import { memoryStore } from "./stores/memory.ts";
import type { Algorithm, Decision, Store } from "./types.ts";

export interface PolicyLimiterSettings<C extends PolicyCheck> {
  store: Store;
  /** Called for each policy whose state is unavailable. */
  report?: (error: unknown, policy: C["policy"]) => void;
}

type Limits<C extends PolicyCheck> = Pick<DecideSettings<C>, "waitableMs" | "refusal">;

/** Several policies on a store. */
export interface PolicyLimiter<C extends PolicyCheck> {
  /** Decides, and counts what is allowed. When the store fails, each policy's `outage` says what happens; rejects for a caller's mistake. */
  consume(checks: readonly C[], cost: number, settings?: Limits<C>): Promise<Outcome<C>>;
  /**
   * `consume` for one policy in mode enforce, at less cost. Undefined when its state is unavailable and nothing stands in:
   * the policy's `outage` says whether that refuses.
   */
  consumeOne(check: C, cost: number): Promise<Decision | undefined>;
  /** What `consume` would decide now. Changes nothing. */
  peek(checks: readonly C[], cost: number): Promise<Outcome<C>>;
  /** Takes back what an outcome has counted. When the store fails it stays counted until it fades. */
  undo(outcome: Outcome<C>, cost: number): Promise<void>;
  /** Takes back what was counted last; the checks that had counted something. Rejects when the store fails. */
  refund(checks: readonly C[], cost: number): Promise<C[]>;
  /** Forgets the keys. Rejects when the store fails. */
  reset(checks: readonly C[]): Promise<void>;
  /** How long the queue of a key takes; undefined when the store fails. */
  forecast(check: C, queuedCosts: readonly number[], cost: number): Promise<QueueForecast | undefined>;
}

export function createPolicyLimiter<C extends PolicyCheck>({
  store,
  report = () => {},
}: PolicyLimiterSettings<C>): PolicyLimiter<C> {
  /** Where the algorithms count that stand in during an outage. */
  const fallback = memoryStore();
  const fallbackOutcomes = new WeakSet<Outcome<C>>();

  async function run(
    checks: readonly C[],
    cost: number,
    { refusal, ...settings }: Limits<C>,
    isPeek: boolean,
  ): Promise<Outcome<C>> {
    try {
      return await decideOn(store, checks, cost, { refusal, ...settings }, isPeek);
    } catch (error) {
      if (isMistake(error)) return withoutShadows(checks, cost, { refusal, ...settings }, isPeek, error);
      return inOutage(checksToRun(checks, refusal), cost, { refusal, ...settings }, isPeek, error);
    }
  }

  /** A mistake has saved nothing, and that of a shadow must refuse no request. */
  async function withoutShadows(
    checks: readonly C[],
    cost: number,
    settings: Limits<C>,
    isPeek: boolean,
    mistake: unknown,
  ): Promise<Outcome<C>> {
    const others = checks.filter(({ policy }) => policy.mode !== "shadow");
    if (others.length === checks.length) throw mistake;
    const outcome = await run(others, cost, settings, isPeek);
    for (const { policy } of checks) if (policy.mode === "shadow") report(mistake, policy);
    return outcome;
  }

  async function inOutage(
    checks: readonly C[],
    cost: number,
    settings: Limits<C>,
    isPeek: boolean,
    error: unknown,
  ): Promise<Outcome<C>> {
    for (const { policy } of checks) report(error, policy);
    const enforced = checks.filter(({ policy }) => policy.mode !== "shadow");
    const unavailable = enforced.find(({ policy }) => policy.outage === "closed");
    if (unavailable) return { ...nothingDecided, outage: true, unavailable };
    const locals = enforced.filter(({ policy }) => policy.outage !== "open");
    const outcome = await decideOn(
      fallback,
      locals,
      cost,
      { ...settings, algorithmOf: localAlgorithm },
      isPeek,
    );
    const result = { ...outcome, outage: locals.length < enforced.length };
    fallbackOutcomes.add(result);
    return result;
  }

  return {
    consume: (checks, cost, settings = {}) => run(checks, cost, settings, false),

    async consumeOne(check, cost) {
      const { algorithm } = check.policy;
      try {
        return await store.update(check.key, (state: unknown, now) => {
          const { decision, next, expiresAt } = algorithm.step(state, requireTime(now), cost);
          return { result: decision, next, expiresAt };
        });
      } catch (error) {
        if (isMistake(error)) throw error;
        const { decisions } = await inOutage([check], cost, {}, false, error);
        return decisions[0]?.decision;
      }
    },
    peek: (checks, cost) => run(checks, cost, {}, true),

    async undo(outcome, cost) {
      const isFallback = fallbackOutcomes.has(outcome);
      await refundOn(isFallback ? fallback : store, outcome.counted, cost, isFallback).catch(() => undefined);
    },

    refund: (checks, cost) => refundOn(store, checks, cost),

    async reset(checks) {
      await resetOn(fallback, checks);
      await resetOn(store, checks);
    },

    async forecast(check, queuedCosts, cost) {
      try {
        return await store.update(check.key, (state: unknown, now) => ({
          result: forecastOf(check.policy.algorithm, state, requireTime(now), queuedCosts, cost),
        }));
      } catch (error) {
        report(error, check.policy);
        return undefined;
      }
    },
  };
}

/** Decides on a store, and saves what follows unless this is a `peek`. Rejects when the store fails. */
export function decideOn<C extends PolicyCheck>(
  store: Store,
  checks: readonly C[],
  cost: number,
  settings: DecideSettings<C> = {},
  isPeek = false,
): Promise<Outcome<C>> {
  const running = checksToRun(checks, settings.refusal);
  if (running.length === 0) return Promise.resolve(decide(running, [], 0, cost, settings).result);
  return store.updateMany(keysOf(running), (states: readonly unknown[], now) => {
    const { result, changes } = decide(running, states, requireTime(now), cost, settings);
    return { result, changes: isPeek ? [] : changes };
  });
}

/** An error of the caller, such as a cost that an algorithm cannot count, rather than of the store. */
function isMistake(error: unknown): boolean {
  return error instanceof RangeError || error instanceof TypeError;
}

/** When a refusal is known, only the shadows. */
function checksToRun<C extends PolicyCheck>(checks: readonly C[], refusal: unknown): readonly C[] {
  return refusal ? checks.filter(({ policy }) => policy.mode === "shadow") : checks;
}

function refundOn<C extends PolicyCheck>(
  store: Store,
  checks: readonly C[],
  cost: number,
  isFallback = false,
): Promise<C[]> {
  if (checks.length === 0) return Promise.resolve([]);
  return store.updateMany(keysOf(checks), (states: readonly unknown[], now) => {
    const changes = checks.map(({ policy }, index) => {
      const algorithm = isFallback ? localAlgorithm(policy) : policy.algorithm;
      const state = states[index];
      return state === undefined ? undefined : algorithm.refund?.(state, requireTime(now), cost);
    });
    return { result: checks.filter((_, index) => changes[index] !== undefined), changes };
  });
}

async function resetOn(store: Store, checks: readonly PolicyCheck[]): Promise<void> {
  if (checks.length === 0) return;
  await store.updateMany(keysOf(checks), (states: readonly unknown[], now) => ({
    result: undefined,
    changes: states.map((state) => ({ next: state, expiresAt: now })),
  }));
}

function localAlgorithm({ outage, algorithm }: Policy): Algorithm<unknown> {
  return typeof outage === "string" ? algorithm : outage.local;
}

function keysOf(checks: readonly PolicyCheck[]): string[] {
  return checks.map(({ key }) => key);
}
