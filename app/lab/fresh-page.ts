import type { FreshPage } from "@/lib/lab/address";
import { settingTexts } from "@/lib/lab/settings";
import { decidingLimits, floodDetection, onlyLimits } from "@/lib/lab/site-limits";
import { limits } from "@/lib/limits/index";
import { scoring } from "@/lib/ratings/tally/scoring-settings";
import { env } from "@/lib/settings/env";

/** The lab with this site's settings and limits. */
export const freshPage: FreshPage = {
  settings: settingTexts(env),
  limits: [
    ...decidingLimits(limits).map(({ name }) => name),
    ...(scoring.detectsFloods ? [floodDetection] : []),
  ],
};

/** The choice that an address makes of this site's limits and flood detection. */
export function chosenOfSite(names: readonly string[]) {
  const detectsFloods = scoring.detectsFloods && (names.length === 0 || names.includes(floodDetection));
  return { limits: onlyLimits(limits, names), scoring: { ...scoring, detectsFloods } };
}

export type ChosenOfSite = ReturnType<typeof chosenOfSite>;
