/** How scores settle and how long floods are held, as the settings have it. */
import { durationMs } from "../../settings/durations.ts";
import { env, type Settings } from "../../settings/env.ts";
import type { TallySettings } from "./tally.ts";

export function scoringFrom(settings: Settings): TallySettings {
  return {
    settling: {
      firstRaters: settings.SETTLED_SCORE_FIRST_RATERS,
      unitDays: settings.SETTLED_SCORE_UNIT_DAYS,
    },
    holdMs: durationMs(settings.RATING_HOLD_DAYS, "days"),
    detectsFloods: settings.RATING_FLOODS === "hold",
  };
}

export const scoring: TallySettings = scoringFrom(env);
