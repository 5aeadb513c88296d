/** The lab's settings as the lines of `.env` that make them the app's own. */
import { parseSettings, type Settings } from "../settings/env.ts";
import { ratingAlgorithm, ratingVariables } from "../settings/rating-settings.ts";

interface EnvironmentLine {
  name: string;
  value: string;
  /** Whether this is the default value, which needs no line of its own. */
  isDefault: boolean;
}

/** The lines that make ratings go by this algorithm with these settings. */
export function environmentLines(settings: Settings, algorithm: string): EnvironmentLine[] {
  const values: Record<string, unknown> = settings;
  const defaults: Record<string, unknown> = parseSettings({});
  return [
    { name: "RATING_LIMITER", value: algorithm, isDefault: algorithm === defaults.RATING_LIMITER },
    ...ratingVariables(algorithm).map(({ name }) => ({
      name,
      value: String(values[name]),
      isDefault: values[name] === defaults[name],
    })),
  ];
}

/**
 * The parts of LIMITS about posts' ratings, besides the lines.
 * Whether it sets `rating.post` itself, which it overrides, and the names of further policies, which decide beside it.
 */
export function ratingLimits({ LIMITS }: Pick<Settings, "LIMITS">): { wins: boolean; further: string[] } {
  return {
    wins: "rating.post" in LIMITS,
    further: Object.keys(LIMITS).filter((name) => name.startsWith("rating.post.")),
  };
}

/** The line that runs this algorithm in shadow beside the current one. */
export function shadowLine(settings: Settings, algorithm: string): string {
  const policy = { mode: "shadow", ...ratingAlgorithm(settings, algorithm) };
  return `LIMITS='${JSON.stringify({ "rating.post.second": policy })}'`;
}

/** The file of the limiter service that limits any key by this algorithm. */
export function limiterFile(settings: Settings, algorithm: string): string {
  const policies = { ratings: ratingAlgorithm(settings, algorithm) };
  return `${JSON.stringify({ policies, default: "ratings", store: "memory" }, null, 2)}\n`;
}
