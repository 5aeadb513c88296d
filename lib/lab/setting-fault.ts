/** The faults of settings, worded in the page's language. */
import { formatter, translator } from "../i18n/index.ts";
import type { SettingDescription, SettingFault } from "../limiter/index.ts";
import { durationMs, longestMs } from "../settings/durations.ts";

/** The faults of the limiter's settings, and of the texts typed for them. */
type TypedFault =
  | SettingFault
  | { kind: "choice"; choices: readonly string[] }
  | { kind: "thousandth" | "century" | "duration" };

/** The fault of a text that the settings' schema refuses. */
export function typedFault(description: SettingDescription, text: string): TypedFault {
  if (description.type === "choice")
    return { kind: "choice", choices: description.choices.map(([value]) => value) };
  if (description.type === "time-zone") return { kind: "time-zone" };
  const orZero = "orZero" in description && description.orZero === true;
  const value = Number(text);
  if (description.type !== "duration" || !(value > 0)) return { kind: orZero ? "from-zero" : "above-zero" };
  return { kind: durationMs(value, "seconds") < 1 ? "thousandth" : "century" };
}

/** The text of a fault, to follow its setting's name. */
export function settingFaultText(fault: TypedFault): string {
  const t = translator("lab");
  switch (fault.kind) {
    case "choice":
      return t("fault.choice", { choices: formatter().list(fault.choices, { type: "disjunction" }) });
    case "century":
      return t("fault.century", { most: shown(longestMs / 1_000) });
    case "duration":
      return t("fault.duration", { most: shown(Number.MAX_SAFE_INTEGER / 1_000) });
    case "bounds":
      return boundsText(fault);
    default:
      return t(`fault.${fault.kind}`);
  }
}

function boundsText({ least, most, orZero }: Extract<SettingFault, { kind: "bounds" }>): string {
  const t = translator("lab");
  if (least === undefined) return t("fault.most", { most: shown(most) });
  if (most === undefined) return t("fault.least", { least: shown(least) });
  const bounds = { least: shown(least), most: shown(most) };
  return orZero ? t("fault.zeroOrBetween", bounds) : t("fault.between", bounds);
}

function shown(bound = 0): string {
  return formatter().number(bound, { maximumSignificantDigits: 15 });
}
