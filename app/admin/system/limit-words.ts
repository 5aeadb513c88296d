import { translator } from "@/lib/i18n";
import { type AlgorithmSettings, algorithmDefinition } from "@/lib/limiter/index";
import type { Limit } from "@/lib/limits";

/** A limit's name in words; also the technical name where several count the same. */
export function limitName(name: string, policy: Pick<Limit, "counts"> | undefined): string {
  const t = translator("adminSystem");
  if (policy === undefined) return name;
  const words = t(`limit.${policy.counts}`);
  return name === policy.counts ? words : `${words} (${name})`;
}

/** A limit's mode in words; empty for `enforce`. */
export function modeText({ counts, mode }: Pick<Limit, "counts" | "mode">): string {
  const t = translator("adminSystem");
  if (mode === "enforce") return "";
  if (mode === "shadow") return t("limits.inShadow");
  return counts === "login.delay" ? t("limits.delays") : t("limits.holds");
}

/** An algorithm in words: "Leaky bucket: 30 at once, then one every 2 minutes". */
export function limitText(settings: AlgorithmSettings): string {
  const t = translator("adminSystem");
  const summary = summaryOf(settings);
  switch (settings.algorithm) {
    case "token-bucket":
    case "gcra":
    case "fixed-window":
    case "sliding-log":
    case "sliding-window-counter":
    case "tiered":
    case "ema":
      return t(`algorithm.${settings.algorithm}`, { summary });
    default:
      return t("algorithm.leaky-bucket", { summary });
  }
}

function summaryOf(settings: AlgorithmSettings): string {
  const t = translator("adminSystem");
  const { settings: known } = algorithmDefinition(settings.algorithm);
  const number = (name: string) => Number(settings[name] ?? known[name]?.default);
  const timeZone = String(settings.timeZone ?? "UTC");
  switch (settings.algorithm) {
    case "fixed-window":
      return settings.windowMs === undefined
        ? t("summary.aDay", { count: number("limit"), timeZone })
        : t("summary.perPeriod", { count: number("limit"), period: periodText(number("windowMs")) });
    case "sliding-log":
      return t("summary.inAny", { count: number("limit"), period: periodText(number("windowMs")) });
    case "sliding-window-counter":
      return t("summary.aboutInAny", { count: number("limit"), period: periodText(number("windowMs")) });
    case "tiered":
      return t("summary.free", {
        count: number("freePerDay"),
        timeZone,
        beyond: isSettings(settings.beyond) ? summaryOf(settings.beyond) : "",
      });
    case "ema": {
      const { unit, count } = inUnit(number("adaptMs"));
      const values = { threshold: number("threshold"), time: t("summary.duration", { unit, count }) };
      const floor = number("floorRequests");
      return floor > 0
        ? t("summary.tooFastWithFloor", { ...values, count: floor, rate: rateText(number("floorPerSecond")) })
        : t("summary.tooFast", values);
    }
    default: {
      const rate = ["leakPerSecond", "refillPerSecond", "ratePerSecond"].find((name) => name in known) ?? "";
      return t("summary.burst", { count: number("capacity"), rate: rateText(number(rate)) });
    }
  }
}

function rateText(perSecond: number): string {
  const t = translator("adminSystem");
  return perSecond >= 1
    ? t("summary.perSecond", { count: perSecond })
    : t("summary.every", { period: periodText(1_000 / perSecond) });
}

function periodText(durationMs: number): string {
  return translator("adminSystem")("summary.period", inUnit(durationMs));
}

const units: [unitMs: number, unit: string][] = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
];

/** A duration in the largest unit that has a whole number of them, or in seconds. */
function inUnit(durationMs: number): { unit: string; count: number } {
  const [unitMs, unit] = units.find(([each]) => durationMs % each === 0) ?? [1_000, "second"];
  return { unit, count: durationMs / unitMs };
}

function isSettings(value: unknown): value is AlgorithmSettings {
  return typeof value === "object" && value !== null && "algorithm" in value;
}
