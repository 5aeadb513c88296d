/**
 * The faults of settings in the page's language.
 * The settings' schema and the limiter describe them in English, for logs and programmers.
 */
import { formatter, type Translator, translator } from "../i18n/index.ts";

type FaultText = (t: Translator<"lab">, ...bounds: string[]) => string;

/** The wordings, each with its bounds in groups; the first that fits is taken. */
const faults: readonly (readonly [wording: RegExp, text: FaultText])[] = [
  [/^must be a (?:finite )?number above 0/, (t) => t("fault.above0")],
  [/^must be a (?:finite )?number from 0 on/, (t) => t("fault.from0")],
  [/^must be a whole number/, (t) => t("fault.whole")],
  [/^must be at least a thousandth of a second/, (t) => t("fault.thousandth")],
  [
    /^must be at most ([\d.e+]+) seconds, a hundred years/,
    (t, most) => t("fault.century", { most: shown(most) }),
  ],
  [/^must be at least ([\d.e+-]+)/, (t, least) => t("fault.least", { least: shown(least) })],
  [/^must be at most ([\d.e+]+)/, (t, most) => t("fault.most", { most: shown(most) })],
  [
    /^must be from ([\d.e+-]+) to ([\d.e+]+)/,
    (t, least, most) => t("fault.between", { least: shown(least), most: shown(most) }),
  ],
  [
    /^must be 0, or from ([\d.e+-]+) to ([\d.e+]+)/,
    (t, least, most) => t("fault.zeroOrBetween", { least: shown(least), most: shown(most) }),
  ],
  [/is too small beside capacity/, (t) => t("fault.besideCapacity")],
  [/^must be a time zone|is not known here/, (t) => t("fault.timeZone")],
  [/^must be one of (.*)$/s, (t, choices = "") => t("fault.choice", { choices })],
];

/** The text of a fault, to follow its setting's name. */
export function settingFaultText(fault: string): string {
  const t = translator("lab");
  for (const [wording, text] of faults) {
    const found = wording.exec(fault);
    if (found) return text(t, ...found.slice(1));
  }
  return t("fault.other");
}

/** The text of a duration, in seconds, that an algorithm cannot work with. */
export function durationFaultText(): string {
  return translator("lab")("fault.duration", { most: shown("9000000000000") });
}

function shown(bound: string | undefined): string {
  return formatter().number(Number(bound), { maximumSignificantDigits: 15 });
}
