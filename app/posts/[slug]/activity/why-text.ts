/** Why an attempt to rate was decided as it was, in plain words. */
import { durationText } from "@/app/_components/duration-text";
import { translator } from "@/lib/i18n";
import { type Bound, boundOf, type Reason } from "@/lib/limiter/index";
import { usualRate } from "@/lib/ratings/decisions/flood-summary";
import { decidedBy } from "@/lib/ratings/record-attempt";

interface DecidedAttempt {
  allowed: boolean;
  held: boolean;
  policy: string | null;
  reason: Reason | null;
}

export function whyText({ allowed, held, policy, reason }: DecidedAttempt): string {
  const t = translator("activity");
  if (!reason) {
    if (policy === decidedBy.accessRules) return t("why.rule");
    return t(policy === decidedBy.outage ? "why.outage" : "why.none");
  }
  if (allowed && !held) return t("why.within");
  const times = timesFaster(reason);
  if (held) return times === undefined ? t("why.flood") : t("why.fast", { times });
  return limitText(policy, reason);
}

/** The limit by which an attempt was, or would have been, refused. */
export function limitText(policy: string | null, reason: Reason): string {
  const t = translator("activity");
  const bound = boundOf(reason);
  if (!bound) return t("why.tooLarge");
  if (bound.kind === "usual") return t("why.fast", { times: timesFaster(reason) ?? 1 });
  return t(`why.rate.${subjectOf(policy)}`, { rate: rateText(bound) });
}

/**
 * How many times faster than usual, at least 1.
 * Undefined where the limit does not measure that, or it was not faster.
 */
function timesFaster(reason: Reason): number | undefined {
  if (reason.neverFits) return undefined;
  const { meanGapMs, recentGapMs, z, threshold } = reason;
  if (typeof meanGapMs !== "number" || typeof recentGapMs !== "number") return undefined;
  if (typeof z !== "number" || typeof threshold !== "number" || z <= threshold) return undefined;
  return Math.max(1, Math.round(meanGapMs / Math.max(1, recentGapMs)));
}

function rateText(bound: Exclude<Bound, { kind: "usual" }>): string {
  const t = translator("activity");
  switch (bound.kind) {
    case "rate": {
      if (bound.perSecond >= 1) return t("rate.second", { count: bound.perSecond });
      const { count, per } = usualRate(1_000 / bound.perSecond);
      return t(`rate.${per}`, { count });
    }
    case "quota":
      return t("rate.within", {
        count: bound.limit,
        duration: durationText(bound.windowMs),
      });
    case "after-quota":
      return bound.beyond.kind === "usual" ? t("rate.day", { count: bound.limit }) : rateText(bound.beyond);
  }
}

const subjects = { "rating.post": "post", "rating.user": "user", "rating.address": "address" } as const;

function subjectOf(policy: string | null): "post" | "user" | "address" | "change" | "other" {
  const name = policy?.split(".").slice(0, 2).join(".");
  switch (name) {
    case "rating.post":
    case "rating.user":
    case "rating.address":
      return subjects[name];
    case "rating.change":
      return "change";
    default:
      return "other";
  }
}
