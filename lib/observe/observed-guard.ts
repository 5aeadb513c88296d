/** A guard whose decisions are counted, and are spans of a trace. It decides as the guard that it stands before. */
import { type Span, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Guard, PolicyDecision, Verdict } from "../guard/index.ts";
import type { Check, GuardedRequest } from "../guard/types.ts";
import type { Limits, Policy } from "../limits.ts";
import { deciderOf } from "../ratings/record-attempt.ts";
import { type Decided, limitTally } from "./limit-tally.ts";
import { metrics } from "./metrics.ts";

/** What a request was checked against, and what came of it, as of the last time that it was carried out. */
interface Seen {
  checks?: readonly Check[] | undefined;
  verdict?: Verdict | undefined;
}

/**
 * `limits` are those that requests are checked against: a request that is checked against the limits of a post's ratings
 * is a try to rate, also where these are off.
 */
export function observedGuard(guard: Guard, limits: Limits): Guard {
  const isRating = ({ checks = [] }: Seen) => checks.some(([policies]) => policies === limits["rating.post"]);
  return {
    guarded: <T>(request: GuardedRequest<T>) =>
      trace.getTracer("weir").startActiveSpan("guard", async (span) => {
        const seen: Seen = {};
        try {
          const outcome = await guard.guarded({ ...request, plan: watchedPlan(request.plan, seen) });
          countPolicies(seen, request.now);
          const decision = decisionOf(outcome, seen);
          if (isRating(seen) && decision) countRating(span, decision, seen);
          return outcome;
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR });
          if (isRating(seen)) countRating(span, "failed", seen);
          throw error;
        } finally {
          span.end();
        }
      }),
    forget: (policies, subject) => guard.forget(policies, subject),
  };
}

/** The same plan; `seen` is what it was carried out with. It may run more than once: the last time is what counts. */
function watchedPlan<T>(plan: GuardedRequest<T>["plan"], seen: Seen): GuardedRequest<T>["plan"] {
  return async () => {
    seen.verdict = undefined;
    const planned = await plan();
    if ("outcome" in planned) return planned;
    const { checks, carryOut } = planned;
    seen.checks = checks;
    return {
      checks,
      carryOut: (verdict, now) => {
        seen.verdict = verdict;
        return carryOut(verdict, now);
      },
    };
  };
}

/** Undefined when there was nothing to decide. */
function decisionOf(outcome: unknown, { verdict }: Seen): string | undefined {
  const kind =
    typeof outcome === "object" && outcome !== null && "kind" in outcome ? outcome.kind : undefined;
  if (kind === "unavailable") return "unavailable";
  if (!verdict) return undefined;
  if (verdict.refused) return verdict.refused.kind === "denied" ? "denied" : "refused";
  return kind === "held" ? "held" : "accepted";
}

function countRating(span: Span, decision: string, { verdict }: Seen): void {
  const policy = (verdict && deciderOf(verdict).policy) ?? "none";
  metrics().ratingAttempts.inc({ decision, policy });
  span.setAttributes({ "weir.decision": decision, "weir.policy": policy });
}

/** `at`: when the request came, in milliseconds. */
function countPolicies({ checks = [], verdict }: Seen, at: number): void {
  if (!verdict) return;
  const count = ({ policy }: PolicyDecision, decision: string, decided: Decided) => {
    metrics().limitDecisions.inc({ policy, decision });
    limitTally().count(policy, decided, at);
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

function over(mode: Policy["mode"] | undefined): "held" | "refused" {
  return mode === "hold" ? "held" : "refused";
}
