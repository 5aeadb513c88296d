/** Wraps a guard to count its decisions and trace them as spans. */
import { type Span, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Limit, Limits } from "../limits/index.ts";
import type { Guard, GuardedRequest, PolicyDecision, SubjectCheck, Verdict } from "../limits/types.ts";
import { deciderOf } from "../ratings/record-attempt.ts";
import { type CountedDecision, limitCounters } from "./limit-counters.ts";
import { metrics } from "./metrics.ts";

/** A request's checks and verdict, as of its last execution. */
interface ObservedRequest {
  checks?: readonly SubjectCheck[] | undefined;
  verdict?: Verdict | undefined;
  /** The effect of the decision; undefined before, and when it was rolled back. */
  outcome?: unknown;
}

/**
 * A request checked against a limit of ratings or of changes is a rating attempt.
 * This holds when both limits are off, too.
 */
export function observedGuard(guard: Guard, limits: Limits): Guard {
  const isRating = ({ checks = [] }: ObservedRequest) =>
    checks.some(([policies]) => policies === limits["rating.user"] || policies === limits["rating.change"]);
  return {
    run: <T>(request: GuardedRequest<T>) =>
      trace.getTracer("weir").startActiveSpan("guard", async (span) => {
        const observation: ObservedRequest = {};
        try {
          const outcome = await guard.run({ ...request, plan: observedPlan(request.plan, observation) });
          // The guard has an outcome of its own where the transaction was rolled back, the decision with it.
          if (outcome !== observation.outcome) observation.verdict = undefined;
          countPolicies(observation, request.now);
          const decision = decisionOf(outcome, observation);
          if (isRating(observation) && decision) countRating(span, decision, observation);
          return outcome;
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR });
          if (isRating(observation)) countRating(span, "failed", observation);
          throw error;
        } finally {
          span.end();
        }
      }),
    forget: (checks) => guard.forget(checks),
    refund: (decision, now) => guard.refund(decision, now),
  };
}

/**
 * The plan, recording its checks and verdict.
 * A plan may run more than once; the last run counts.
 */
function observedPlan<T>(
  plan: GuardedRequest<T>["plan"],
  observation: ObservedRequest,
): GuardedRequest<T>["plan"] {
  return async () => {
    observation.verdict = undefined;
    observation.outcome = undefined;
    const planned = await plan();
    if ("outcome" in planned) return planned;
    const { checks, execute } = planned;
    observation.checks = checks;
    return {
      ...planned,
      execute: async (verdict, now) => {
        observation.verdict = verdict;
        const outcome = await execute(verdict, now);
        observation.outcome = outcome;
        return outcome;
      },
    };
  };
}

/** Undefined when no limit decided. */
function decisionOf(outcome: unknown, { verdict }: ObservedRequest): string | undefined {
  const kind =
    typeof outcome === "object" && outcome !== null && "kind" in outcome ? outcome.kind : undefined;
  if (kind === "unavailable") return "unavailable";
  if (!verdict) return undefined;
  if (verdict.refused) return verdict.refused.kind === "denied" ? "denied" : "refused";
  return kind === "held" ? "held" : "accepted";
}

function countRating(span: Span, decision: string, { verdict }: ObservedRequest): void {
  const policy = (verdict && deciderOf(verdict).policy) ?? "none";
  metrics().ratingAttempts.inc({ decision, policy });
  span.setAttributes({ "weir.decision": decision, "weir.policy": policy });
}

/** Counts each policy's decision; `at` is the request's time in milliseconds. */
function countPolicies({ checks = [], verdict }: ObservedRequest, at: number): void {
  if (!verdict) return;
  const count = ({ policy }: PolicyDecision, decision: string, counted: CountedDecision) => {
    metrics().limitDecisions.inc({ policy, decision });
    limitCounters().count(policy, counted, at);
  };
  const modes = new Map(checks.flatMap(([policies]) => policies.map(({ name, mode }) => [name, mode])));
  for (const each of verdict.decisions) {
    const decided = each.decision.allowed ? "allowed" : over(modes.get(each.policy));
    count(each, decided, decided);
  }
  for (const each of verdict.shadows)
    if (each.decision.allowed) count(each, "shadow-would-allow", "allowed");
    else count(each, "shadow-would-refuse", "shadowWouldRefuse");
}

function over(mode: Limit["mode"] | undefined): "held" | "refused" {
  return mode === "hold" ? "held" : "refused";
}
