/**
 * Exponential backoff for accounts whose attempts are refused repeatedly.
 * They wait twice as long each time. First ratings and changes are apart, so that no refused change delays a first
 * rating. An account that tries during its wait is refused for the rest of it, for the reason of its last refusal, and
 * no limit is checked.
 */
import { z } from "zod";
import type { Database } from "../../db/index.ts";
import type { PolicyDecision } from "../limits/types.ts";
import { minuteMs } from "../time/units.ts";

/** Refusals in a row without a wait: a retry may come a moment too early. */
const freeRefusals = 2;
/** The wait after the next one. */
const firstWaitMs = 2_000;
const longestWaitMs = minuteMs;
/** A series of refusals ends after this time without one. */
const seriesGapMs = 300_000;

type AttemptKind = "first" | "change";

const backoffSchema = z.object({
  /** How many in a row. */
  refusals: z.number(),
  at: z.number(),
  waitsUntil: z.number(),
  /** The last one, at `at`. */
  refusal: z.custom<PolicyDecision>((value) => typeof value === "object" && value !== null),
});
const backoffsSchema = z.object({ first: backoffSchema.optional(), change: backoffSchema.optional() });

/** The waits of an account by kind, as they are saved. */
type Backoffs = z.infer<typeof backoffsSchema>;

/** The waits in a saved state. */
export function backoffsIn(state: unknown): Backoffs {
  return state === undefined ? {} : (backoffsSchema.safeParse(state).data ?? {});
}

/** Whether an attempt of this kind was refused in the current series of refusals. */
export function isRetry(backoffs: Backoffs, kind: AttemptKind, now: number): boolean {
  const backoff = validBackoff(backoffs[kind], now);
  return backoff !== undefined && now < backoff.waitsUntil + seriesGapMs;
}

/**
 * The refusal of an attempt during the account's wait.
 * Undefined when it does not wait.
 */
export function refusalInBackoff(
  backoffs: Backoffs,
  kind: AttemptKind,
  now: number,
): PolicyDecision | undefined {
  const backoff = validBackoff(backoffs[kind], now);
  if (!backoff || backoff.waitsUntil <= now) return undefined;
  const { refusal, at, waitsUntil } = backoff;
  const limitsWaitMs = refusal.decision.retryAfterMs - (now - at);
  return withWait(refusal, Math.max(limitsWaitMs, waitsUntil - now));
}

/**
 * Saves a refusal by a limit.
 * Resolves to the same with the account's wait. Call it in the attempt's transaction.
 */
export async function backOff(
  { limiterStates }: Pick<Database, "limiterStates">,
  { kind, userId, refusal, at }: { kind: AttemptKind; userId: number; refusal: PolicyDecision; at: number },
): Promise<PolicyDecision> {
  if (refusal.decision.reason.neverFits) return refusal;
  const key = backoffKey(userId);
  const [saved] = await limiterStates.load([key], at);
  const backoffs = backoffsIn(saved);
  const before = isRetry(backoffs, kind, at) ? backoffs[kind] : undefined;
  const refusals = (before?.refusals ?? 0) + 1;
  const doublings = refusals - freeRefusals - 1;
  const waitMs = doublings < 0 ? 0 : Math.min(longestWaitMs, firstWaitMs * 2 ** doublings);
  const state: Backoffs = { ...backoffs, [kind]: { refusals, at, waitsUntil: at + waitMs, refusal } };
  const latest = Math.max(...[state.first, state.change].map((each) => each?.waitsUntil ?? at));
  await limiterStates.save([{ key, state, expiresAt: latest + seriesGapMs }], at);
  return withWait(refusal, Math.max(refusal.decision.retryAfterMs, waitMs));
}

/**
 * The backoff, unless its wait is from before the clock was set back.
 * Such a wait would last until the clock is as late again.
 */
function validBackoff(backoff: Backoffs["first"], now: number): Backoffs["first"] {
  return backoff && backoff.waitsUntil - now <= longestWaitMs ? backoff : undefined;
}

function withWait(refusal: PolicyDecision, retryAfterMs: number): PolicyDecision {
  return { ...refusal, decision: { ...refusal.decision, retryAfterMs } };
}

/** The key of an account's waits among the limiter states. */
export function backoffKey(userId: number): string {
  return `rating.backoff:${userId}`;
}
