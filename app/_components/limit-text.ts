import { translator } from "@/lib/i18n";
import { type AlgorithmSettings, algorithmDefinition } from "@/lib/limiter/index";

const named = [
  "leaky-bucket",
  "token-bucket",
  "fixed-window",
  "sliding-log",
  "tiered",
  "ema",
  "gcra",
  "sliding-window-counter",
] as const;

/** The algorithms that have texts in each language. */
export type NamedAlgorithm = (typeof named)[number];

/** The algorithm of this name, if it has texts. */
export function namedAlgorithm(name: string): NamedAlgorithm | undefined {
  return named.find((each) => each === name);
}

/** An algorithm's name: "Leaky bucket". */
export function algorithmTitle(name: string): string {
  const known = namedAlgorithm(name);
  return known ? translator("limits")(`algorithm.${known}`) : algorithmDefinition(name).title;
}

/** A limit in words: "Leaky bucket: 30 at once, then one every 2 minutes". */
export function limitText(settings: AlgorithmSettings): string {
  const algorithm = algorithmTitle(settings.algorithm);
  return translator("limits")("text", { algorithm, summary: summaryText(settings) });
}

/** An algorithm's settings in words: "30 at once, then one every 2 minutes". */
export function summaryText(settings: AlgorithmSettings): string {
  const t = translator("limits");
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
        beyond: isSettings(settings.beyond) ? summaryText(settings.beyond) : "",
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

/** A rate: "10 a second" or "one every 2 minutes". */
export function rateText(perSecond: number): string {
  const t = translator("limits");
  return perSecond >= 1
    ? t("summary.perSecond", { count: perSecond })
    : t("summary.every", { period: periodText(1_000 / perSecond) });
}

function periodText(durationMs: number): string {
  return translator("limits")("summary.period", inUnit(durationMs));
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
