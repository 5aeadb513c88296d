/**
 * The environment variables of the algorithms that may limit a post's ratings.
 * One for each setting, named after the algorithm and the setting, such as LEAKY_BUCKET_LEAK_PER_SECOND.
 *
 * Durations are in seconds: `windowMs` of the sliding log is SLIDING_LOG_SECONDS, `adaptMs` of the EMA
 * EMA_ADAPT_SECONDS. A time zone is LIMITER_TIME_ZONE for all. Settings of an algorithm inside another have the name of the
 * outer one: TIERED_LIMIT.
 */
import { z } from "zod";
import {
  type AlgorithmSettings,
  algorithmDefinition,
  algorithmDefinitions,
  isApplicableSetting,
  type SettingDescription,
} from "../limiter/index.ts";
import { durationMs, durationSchema } from "./durations.ts";

/** Settings by environment variable. */
type VariableValues = Readonly<Record<string, unknown>>;

export interface RatingVariable {
  name: string;
  /** The algorithm's setting that it sets. */
  setting: string;
  description: SettingDescription;
}

const timeZoneVariable = "LIMITER_TIME_ZONE";

/**
 * Settings without a variable.
 * How long the EMA keeps a quiet post's state follows from RATING_OVERFLOW.
 */
const derivedSettings = new Set(["forgetAfterMs"]);

/** The variables of an algorithm, in the order of its settings. */
export function ratingVariables(algorithm: string, prefix = algorithm): RatingVariable[] {
  return Object.entries(algorithmDefinition(algorithm).settings).flatMap(([setting, description]) => {
    if (derivedSettings.has(setting)) return [];
    return description.type === "algorithm"
      ? ratingVariables(description.default.algorithm, prefix).map((nested) => labelled(nested, description))
      : [{ name: variableName(prefix, setting, description), setting, description }];
  });
}

/** "Most" of an algorithm inside another, which is labelled "Then", as "Then most". */
function labelled(nested: RatingVariable, { label }: SettingDescription): RatingVariable {
  const own = nested.description.label;
  const description = {
    ...nested.description,
    label: `${label} ${own.charAt(0).toLowerCase()}${own.slice(1)}`,
  };
  return { ...nested, description };
}

/** The algorithm with the settings that these values give it. */
export function ratingAlgorithm(
  values: VariableValues,
  algorithm: string,
  prefix = algorithm,
): AlgorithmSettings {
  const settings: AlgorithmSettings = { algorithm };
  for (const [setting, description] of Object.entries(algorithmDefinition(algorithm).settings)) {
    if (derivedSettings.has(setting)) continue;
    const value = values[variableName(prefix, setting, description)];
    if (description.type === "algorithm")
      settings[setting] = ratingAlgorithm(values, description.default.algorithm, prefix);
    else settings[setting] = description.type === "duration" ? durationMs(Number(value), "seconds") : value;
  }
  for (const setting of Object.keys(settings))
    if (!isApplicableSetting(settings, setting)) delete settings[setting];
  return settings;
}

/**
 * Every variable with the schema that checks it.
 * LIMITER_TIME_ZONE, which all algorithms share, is not among them.
 */
export const ratingVariableSchemas = Object.fromEntries(
  algorithmDefinitions
    .flatMap(({ name }) => ratingVariables(name))
    .filter(({ name }) => name !== timeZoneVariable)
    .map(({ name, description }) => [name, variableSchema(description)]),
);

/**
 * The defaults where floods are held.
 * The algorithm that suits that, and its settings.
 */
export const holdDefaults: Readonly<Record<string, string>> = Object.fromEntries(
  algorithmDefinitions.flatMap(({ name, settings, whenHolding }) => {
    if (!whenHolding) return [];
    const variables = Object.entries(settings).flatMap(([setting, description]) => {
      const value = whenHolding[setting];
      if (typeof value !== "number") return [];
      const inUnit = description.type === "duration" ? value / 1_000 : value;
      return [[variableName(name, setting, description), String(inUnit)]];
    });
    return [["RATING_LIMITER", name], ...variables];
  }),
);

function variableName(prefix: string, setting: string, { type }: SettingDescription): string {
  if (type === "time-zone") return timeZoneVariable;
  const suffix = setting === "windowMs" ? "SECONDS" : upperCase(setting).replace(/_MS$/, "_SECONDS");
  return `${upperCase(prefix)}_${suffix}`;
}

/** "leaky-bucket" as LEAKY_BUCKET, "leakPerSecond" as LEAK_PER_SECOND. */
function upperCase(name: string): string {
  return name
    .replace(/[A-Z]/g, (letter) => `_${letter}`)
    .replaceAll("-", "_")
    .toUpperCase();
}

function variableSchema(description: SettingDescription): z.ZodType<number | string> {
  if (description.type === "choice") {
    const values = description.choices.map(([value]) => value);
    return z.enum(values, `must be one of ${values.join(", ")}`).default(description.default);
  }
  const byDefault = Number(description.default);
  const orZero = "orZero" in description && description.orZero === true;
  if (description.type === "duration")
    return durationSchema("seconds", { orZero }).default(byDefault / 1_000);
  const fault = orZero ? "must be a number from 0 on" : "must be a number above 0";
  const number = z.coerce.number(fault);
  return (orZero ? number.nonnegative(fault) : number.positive(fault)).default(byDefault);
}
