/** Algorithms and their settings in words, in the reader's language. */
import { messageByKey, translator } from "@/lib/i18n";
import { type AlgorithmSettings, algorithmDefinition, summaryPhrase } from "@/lib/limiter/index";
import { localPhrase, type PhraseFormats } from "./local-phrase";

/** An algorithm's name: "Leaky bucket". */
export function algorithmTitle(name: string): string {
  return messageByKey("limits", `algorithm.${name}`) ?? algorithmDefinition(name).title;
}

/** A limit in words: "Leaky bucket: 30 at once, then one every 2 minutes". */
export function limitText(settings: AlgorithmSettings, formats = summaryFormats): string {
  const algorithm = algorithmTitle(settings.algorithm);
  return translator("limits")("text", { algorithm, summary: summaryText(settings, formats) });
}

/** An algorithm's settings in words: "30 at once, then one every 2 minutes". */
export function summaryText(settings: AlgorithmSettings, formats = summaryFormats): string {
  return localPhrase(summaryPhrase(settings), formats);
}

/** A rate: "10 a second" or "one every 2 minutes". */
function rateText(perSecond: number): string {
  const t = translator("limits");
  return perSecond >= 1
    ? t("summary.perSecond", { count: perSecond })
    : t("summary.every", { period: periodText(1_000 / perSecond) });
}

function periodText(durationMs: number): string {
  return translator("limits")("summary.period", inUnit(durationMs));
}

function durationText(durationMs: number): string {
  return translator("limits")("summary.duration", inUnit(durationMs));
}

export const summaryFormats: PhraseFormats = {
  namespace: "limits",
  groups: ["summary"],
  rate: rateText,
  period: periodText,
  duration: durationText,
  "short-duration": durationText,
};

/** For readers: without terms of statistics. */
export const readerFormats: PhraseFormats = { ...summaryFormats, groups: ["forReaders", "summary"] };

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
