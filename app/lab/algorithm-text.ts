/** The lab's texts for algorithms and lengths of time, which others define. */
import { algorithmTitle } from "@/app/_components/limit-text";
import { formatter, messageByKey } from "@/lib/i18n";
import { algorithmDefinition } from "@/lib/limiter/index";

/** An algorithm's name, and a phrase that describes it. */
export function algorithmText(name: string): { title: string; about: string } {
  const about = messageByKey("lab", `algorithm.${name}`) ?? algorithmDefinition(name).description;
  return { title: algorithmTitle(name), about };
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
