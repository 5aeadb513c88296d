/**
 * The lab's settings are the rating settings by their own names: checked by the same schema, made into algorithms by
 * the same function as at the start of the app. What is wrong is said of the one setting, and only the algorithms that
 * need it are missing.
 */
import { z } from "zod";
import {
  type AlgorithmName,
  type AlgorithmParameters,
  algorithmFrom,
  algorithmNames,
} from "../algorithms.ts";
import type { Algorithm } from "../limiter/index.ts";
import { ratingAlgorithm, ratingSettings } from "../rating-algorithm.ts";
import { readSettings, type Settings } from "../settings/env.ts";
import type { FieldErrors } from "../validation.ts";

export type SettingName = (typeof ratingSettings)[AlgorithmName][number];

/** What was typed, by the setting's name; those left out are as the app itself has them. */
export type SettingTexts = Partial<Record<SettingName, string>>;

export const settingNames: readonly SettingName[] = [...new Set(Object.values(ratingSettings).flat())];

const textsSchema = z.record(z.enum(settingNames), z.string());

export interface LabAlgorithm {
  name: AlgorithmName;
  parameters: AlgorithmParameters;
  algorithm: Algorithm<unknown>;
}

export interface LabSettings {
  /** What the fields show: what was typed, or else the app's own. */
  texts: Record<SettingName, string>;
  errors: FieldErrors;
  /** Those that are in force; in place of a faulty one the app's own. */
  settings: Settings;
  /** Those of which nothing is wrong. */
  algorithms: LabAlgorithm[];
}

/** The app's own settings as they are written in the environment. */
export function settingTexts(own: Settings): Record<SettingName, string> {
  return textsSchema.parse(Object.fromEntries(settingNames.map((name) => [name, String(own[name])])));
}

export function labSettings(given: SettingTexts, own: Settings): LabSettings {
  const ownTexts = settingTexts(own);
  const texts = { ...ownTexts };
  for (const name of settingNames) if (given[name]?.trim()) texts[name] = given[name];
  const { settings, errors } = checked(texts, ownTexts);
  const algorithms = algorithmNames.flatMap((name): LabAlgorithm[] => {
    if (faultyOf(name, errors).length > 0) return [];
    const parameters = ratingAlgorithm(settings, name);
    try {
      return [{ name, parameters, algorithm: algorithmFrom(parameters) }];
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const { setting, message } = settingFault(name, error.message);
      errors[setting] = [message];
      return [];
    }
  });
  return { texts, errors, settings, algorithms };
}

/** The settings of an algorithm that something is wrong with. */
export function faultyOf(name: AlgorithmName, errors: FieldErrors): SettingName[] {
  return ratingSettings[name].filter((setting) => errors[setting]);
}

function checked(texts: Record<SettingName, string>, ownTexts: Record<SettingName, string>) {
  const result = readSettings(texts);
  const errors: FieldErrors = {};
  if (result.ok) return { settings: result.value, errors };
  Object.assign(errors, result.errors);
  const sound = { ...texts };
  for (const name of settingNames) if (errors[name]) sound[name] = ownTexts[name];
  const mended = readSettings(sound);
  if (!mended.ok) throw new Error(`The app's own settings are not sound: ${Object.keys(mended.errors)}`);
  return { settings: mended.value, errors };
}

/** Where the library's parameters come from. Windows are milliseconds there and seconds here. */
const settingOf: Record<AlgorithmName, Record<string, SettingName>> = {
  "leaky-bucket": { capacity: "LEAKY_BUCKET_CAPACITY", leakPerSecond: "LEAKY_BUCKET_LEAK_PER_SECOND" },
  "token-bucket": { capacity: "TOKEN_BUCKET_CAPACITY", refillPerSecond: "TOKEN_BUCKET_REFILL_PER_SECOND" },
  "fixed-window": { limit: "FIXED_WINDOW_LIMIT", windowMs: "FIXED_WINDOW_SECONDS" },
  "sliding-log": { limit: "SLIDING_LOG_LIMIT", windowMs: "SLIDING_LOG_SECONDS" },
  tiered: { freePerDay: "TIERED_FREE_PER_DAY", limit: "TIERED_LIMIT", windowMs: "TIERED_SECONDS" },
  ema: {
    threshold: "EMA_THRESHOLD",
    recentGaps: "EMA_RECENT_GAPS",
    minimumGaps: "EMA_MINIMUM_GAPS",
    deviationFloor: "EMA_DEVIATION_FLOOR",
    adaptMs: "EMA_ADAPT_SECONDS",
  },
};

/** The library's complaint, "slidingLog: limit must be …", as one about the setting. */
function settingFault(name: AlgorithmName, complaint: string): { setting: SettingName; message: string } {
  const [, parameter = "", message = complaint] = /^\w+: (\w+) (.*)$/s.exec(complaint) ?? [];
  const setting = settingOf[name][parameter];
  if (!setting) return { setting: ratingSettings[name][0], message: complaint };
  return parameter === "windowMs"
    ? { setting, message: "must be at least a thousandth of a second, and no more than 9,000,000,000,000" }
    : // What follows a colon is advice to who writes a program.
      { setting, message: message.replace(/: .*$/s, "") };
}
