/**
 * The decisions that an algorithm would have made on a trace of requests.
 * The very `step` that guards the blog, its states kept as a store keeps them. A pure function; nothing is counted or
 * saved anywhere.
 */
import type { Algorithm, Decision } from "../limiter/index.ts";
import { mostWithin } from "../ratings/decisions/rater-clusters.ts";
import type { Score } from "../ratings/score/score.ts";

/** One request of cost 1. `kind` is known where the trace was made up. */
export interface TraceRequest {
  /** Whole milliseconds since 1970. */
  at: number;
  kind?: "honest" | "flood";
  /** Left out where the trace has only times. */
  score?: Score;
  /** A number for each user, where users are known. */
  user?: number;
}

export interface DecidedRequest extends TraceRequest {
  decision: Decision;
}

export interface RunSummary {
  accepted: number;
  refused: number;
  /** The most accepted in any half-open second. */
  mostInAnySecond: number;
  /**
   * The longest retry time.
   * Null without refusals, "for ever" when no wait would help.
   */
  longestWaitMs: number | "for ever" | null;
  /** Null where the trace does not mark honest ratings. */
  honest: { total: number; refused: number } | null;
  flood: { total: number; passed: number } | null;
}

/** Decides requests that are in order of time. */
export function simulate<S>(
  algorithm: Pick<Algorithm<S>, "step">,
  requests: readonly TraceRequest[],
): { decided: DecidedRequest[]; summary: RunSummary } {
  let state: S | undefined;
  let expiresAt = Number.POSITIVE_INFINITY;
  const decided = requests.map((request) => {
    const step = algorithm.step(expiresAt > request.at ? state : undefined, request.at, 1);
    if (step.next !== undefined) {
      state = step.next;
      expiresAt = step.expiresAt ?? Number.POSITIVE_INFINITY;
    }
    return { ...request, decision: step.decision };
  });
  return { decided, summary: summaryOf(decided) };
}

function summaryOf(decided: readonly DecidedRequest[]): RunSummary {
  const accepted = decided.filter(({ decision }) => decision.allowed);
  const refused = decided.filter(({ decision }) => !decision.allowed);
  const count = (those: readonly TraceRequest[], kind: TraceRequest["kind"]) =>
    those.filter((request) => request.kind === kind).length;
  const honest = { total: count(decided, "honest"), refused: count(refused, "honest") };
  const flood = { total: count(decided, "flood"), passed: count(accepted, "flood") };
  return {
    accepted: accepted.length,
    refused: refused.length,
    mostInAnySecond: mostWithin(
      accepted.map(({ at }) => at),
      1_000,
    ),
    longestWaitMs: longestWait(refused),
    honest: honest.total > 0 ? honest : null,
    flood: flood.total > 0 ? flood : null,
  };
}

function longestWait(refused: readonly DecidedRequest[]): RunSummary["longestWaitMs"] {
  if (refused.length === 0) return null;
  if (refused.some(({ decision }) => decision.reason.neverFits)) return "for ever";
  return refused.reduce((longest, { decision }) => Math.max(longest, decision.retryAfterMs), 0);
}
