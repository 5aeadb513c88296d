/** How scores settle and how long floods are held, as the settings have it. */
import { env, type Settings } from "../settings/env.ts";
import type { TallySettings } from "./tally.ts";

const dayMs = 86_400_000;

export function scoringFrom(settings: Settings): TallySettings {
  return {
    settling: {
      firstRaters: settings.SETTLED_SCORE_FIRST_RATERS,
      unitDays: settings.SETTLED_SCORE_UNIT_DAYS,
    },
    holdMs: settings.RATING_HOLD_DAYS * dayMs,
    detectsFloods: settings.RATING_FLOODS === "hold",
  };
}

export const scoring: TallySettings = scoringFrom(env);
