import { requirePositive } from "../settings.ts";
import type { Algorithm, Step } from "../types.ts";

export type EmaState = {
  /** When the last allowed request came. */
  allowedAt: number;
  /** How many requests were refused since. */
  refused: number;
  /** Exponentially forgotten count of requests, and of the time in which they came. */
  count: number;
  spanMs: number;
  meanGapMs: number;
  recentGapMs: number;
  spread: number;
};

export type EmaSettings = {
  threshold?: number;
  recentGaps?: number;
  minimumGaps?: number;
  deviationFloor?: number;
  adaptMs?: number;
  forgetAfterMs?: number;
};

export const tune = { clip: 5, capRecent: 1, memory: 2, tauDiv: 5, speedup: 16, spreadCap: 2 };

export function ema(settings: EmaSettings = {}): Algorithm<EmaState> {
  const threshold = requirePositive("ema: threshold", settings.threshold ?? 4);
  const recentGaps = requirePositive("ema: recentGaps", settings.recentGaps ?? 12);
  const minimumGaps = requirePositive("ema: minimumGaps", settings.minimumGaps ?? 10);
  const deviationFloor = requirePositive("ema: deviationFloor", settings.deviationFloor ?? 0.25);
  const adaptMs = requirePositive("ema: adaptMs", settings.adaptMs ?? 3_600_000);
  const forgetAfterMs = requirePositive("ema: forgetAfterMs", settings.forgetAfterMs ?? 30 * 86_400_000);

  const alpha = 2 / (recentGaps + 1);
  const keepRecent = 1 - alpha;
  const keepOld = 1 - 1 / (tune.memory * recentGaps);
  const memoryMs = adaptMs / tune.tauDiv;
  const shrinkPerMs = Math.log(tune.speedup) / adaptMs;

  function limitOf(state: EmaState): { slowest: number; deviation: number } {
    const s = Math.max(state.spread, deviationFloor ** 2) * (1 / recentGaps + 1 / state.count);
    const root = 1 - s / 9 - threshold * Math.sqrt(s / 9);
    return { slowest: root <= 0 ? 0 : state.meanGapMs * root ** 3, deviation: s };
  }
  function zOf(state: EmaState, recent: number, s: number): number {
    return (1 - s / 9 - Math.cbrt(recent / state.meanGapMs)) / Math.sqrt(s / 9);
  }

  function step(saved: EmaState | undefined, now: number, cost: number): Step<EmaState> {
    requirePositive("cost", cost);
    if (saved === undefined || typeof saved.recentGapMs !== "number") {
      const next = {
        allowedAt: now,
        refused: 0,
        count: 0,
        spanMs: 0,
        meanGapMs: 0,
        recentGapMs: 0,
        spread: 1,
      };
      return { decision: answer(true, 0, next, 0, 0, true), next, expiresAt: now + forgetAfterMs };
    }
    const state = saved;
    const keep = keepRecent ** cost;
    const gapMs = Math.max(0, now - state.allowedAt);
    const learning = state.count < minimumGaps;
    const { slowest, deviation } = learning ? { slowest: 0, deviation: 1 } : limitOf(state);
    const recentAfter = (gap: number) => keep * state.recentGapMs + (1 - keep) * (gap / cost);
    const recent = recentAfter(gapMs);
    const z = learning ? 0 : zOf(state, recent, deviation);
    if (recent < slowest) {
      let retry = Math.ceil(((slowest - keep * state.recentGapMs) * cost) / (1 - keep));
      while (recentAfter(retry - 1) >= slowest) retry -= 1;
      while (recentAfter(retry) < slowest) retry += 1;
      const next = { ...state, allowedAt: Math.min(state.allowedAt, now), refused: state.refused + cost };
      return {
        decision: answer(false, retry - gapMs, next, recent, z, false, slowest),
        next,
        expiresAt: now + forgetAfterMs,
      };
    }
    const arrivals = state.refused + cost;
    const rawMean = state.count === 0 ? gapMs : state.spanMs / state.count;
    const taught = Math.min(gapMs, tune.clip * Math.max(rawMean, 1) * arrivals);
    const decay = Math.max(Math.exp(-gapMs / memoryMs), keepOld ** arrivals);
    const count = state.count * decay + arrivals;
    const spanMs = state.spanMs * decay + taught;
    const meanGapMs =
      state.count === 0
        ? Math.max(gapMs / cost, 0)
        : Math.max(spanMs / count, state.meanGapMs * Math.exp(-shrinkPerMs * gapMs));
    const d =
      state.count === 0 || state.meanGapMs === 0
        ? 1
        : Math.min(gapMs / cost / state.meanGapMs, tune.clip) - 1;
    const spread = Math.min(
      tune.spreadCap,
      state.spread + (d * d - state.spread) * Math.min(1, cost / (state.count + 1)),
    );
    const next = {
      allowedAt: now,
      refused: 0,
      count,
      spanMs,
      meanGapMs,
      recentGapMs: Math.min(state.count === 0 ? meanGapMs : recent, tune.capRecent * meanGapMs),
      spread,
    };
    return {
      decision: answer(true, 0, next, recent, z, learning, slowest),
      next,
      expiresAt: now + forgetAfterMs,
    };
  }

  function answer(
    allowed: boolean,
    retryAfterMs: number,
    state: EmaState,
    recentGapMs: number,
    z: number,
    learning: boolean,
    leastGapMs = 0,
  ) {
    return {
      allowed,
      limit: null,
      remaining: null,
      retryAfterMs,
      resetAfterMs: forgetAfterMs,
      reason: {
        algorithm: "ema" as const,
        neverFits: false as const,
        z,
        threshold,
        meanGapMs: state.meanGapMs,
        deviationMs: state.meanGapMs * Math.sqrt(Math.max(state.spread, deviationFloor ** 2)),
        recentGapMs,
        leastGapMs,
        learning,
      },
    };
  }

  return { name: "ema", limit: null, step };
}
