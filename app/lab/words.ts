/** The lab's words for what others define: algorithms and lengths of time. */
import { formatter, translator } from "@/lib/i18n";
import { algorithmDefinition } from "@/lib/limiter/index";

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

/** An algorithm's name, and what it does in a phrase. */
export function algorithmWords(name: string): { title: string; about: string } {
  const t = translator("lab");
  const known = named.find((each) => each === name);
  if (known) return { title: t(`algorithm.${known}.title`), about: t(`algorithm.${known}.about`) };
  const { title, description } = algorithmDefinition(name);
  return { title, about: description };
}

/** A length of time to three digits: "0.3 sec", "3.1 min". */
export function shortDuration(durationMs: number): string {
  const [unit, unitMs] =
    durationMs < 120_000
      ? (["second", 1_000] as const)
      : durationMs < 7_200_000
        ? (["minute", 60_000] as const)
        : (["hour", 3_600_000] as const);
  return formatter().number(durationMs / unitMs, {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumSignificantDigits: 3,
  });
}
