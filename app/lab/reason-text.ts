/** An algorithm's reasons and measurements, in the reader's language. */
import { namedAlgorithm, rateText } from "@/app/_components/limit-text";
import { translator } from "@/lib/i18n";
import { explainReason, type Level, type LimitReason, type Reason } from "@/lib/limiter/index";
import { shortDuration } from "./algorithm-text";

/** Why a request was decided as it was: "3 of 5 in the last 0.8 sec". */
export function reasonText(reason: Reason): string {
  const t = translator("lab");
  if (reason.neverFits) return t("reason.never-fits", { cost: reason.cost, limit: reason.limit });
  const number = (field: string) => numberOf(reason, field);
  const tenths = (field: string) => Math.round(number(field) * 10) / 10;
  const duration = (field: string) => shortDuration(number(field));
  const counted = () => ({ used: tenths("used"), limit: number("limit") });
  switch (namedAlgorithm(reason.algorithm)) {
    case "leaky-bucket":
      return t("reason.leaky-bucket", {
        used: tenths("level"),
        limit: number("capacity"),
        rate: rateText(number("leakPerSecond")),
      });
    case "token-bucket":
      return t("reason.token-bucket", {
        tokens: tenths("tokens"),
        limit: number("capacity"),
        rate: rateText(number("refillPerSecond")),
      });
    case "gcra":
      return t("reason.gcra", {
        ahead: duration("aheadMs"),
        most: shortDuration((number("capacity") / number("ratePerSecond")) * 1_000),
        rate: rateText(number("ratePerSecond")),
      });
    case "fixed-window":
      return typeof reason.timeZone === "string"
        ? t("reason.calendar-day", { ...counted(), timeZone: reason.timeZone })
        : t("reason.fixed-window", { ...counted(), period: duration("windowMs") });
    case "sliding-log":
      return t("reason.sliding-log", { ...counted(), period: duration("windowMs") });
    case "sliding-window-counter":
      return t("reason.sliding-window-counter", { ...counted(), period: duration("windowMs") });
    case "tiered": {
      const first = t("reason.tiered", {
        used: tenths("usedToday"),
        timeZone: String(reason.timeZone),
        free: number("freePerDay"),
      });
      const beyond = nestedReason(reason.beyond);
      return beyond ? t("reason.beyond", { first, second: reasonText(beyond) }) : first;
    }
    case "ema":
      return reason.learning === true
        ? t("reason.learning")
        : t("reason.ema", {
            z: tenths("z"),
            threshold: number("threshold"),
            recent: duration("recentGapMs"),
            usual: duration("meanGapMs"),
          });
    case undefined:
      return explainReason(reason);
  }
}

/** What an algorithm measures and where its limit is: "Tokens, too few below 1". */
export function levelText(level: Level, reason: Reason): string {
  const name = namedAlgorithm(reason.algorithm);
  if (!name || reason.neverFits) return `${level.name}, ${level.meaning}`;
  const isDay = name === "fixed-window" && typeof reason.timeZone === "string";
  return translator("lab")(`level.${isDay ? "calendar-day" : name}`, { most: level.threshold });
}

function numberOf(reason: LimitReason, field: string): number {
  const value = reason[field];
  return typeof value === "number" ? value : 0;
}

/** The reason within a decision that is a field of another reason. */
function nestedReason(decision: unknown): Reason | undefined {
  if (typeof decision !== "object" || decision === null || !("reason" in decision)) return undefined;
  return isReason(decision.reason) ? decision.reason : undefined;
}

function isReason(value: unknown): value is Reason {
  return typeof value === "object" && value !== null && "algorithm" in value && "neverFits" in value;
}
