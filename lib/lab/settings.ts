/**
 * The lab's settings are the rating settings by their own names.
 * Checked by the same schema, made into algorithms by the same function as at the start of the app. A fault is reported
 * beside its setting, and only the algorithms that need it are missing.
 */

import {
  type Algorithm,
  type AlgorithmSettings,
  algorithmNames,
  createAlgorithm,
  SettingError,
} from "../limiter/index.ts";
import { readSettings, type Settings } from "../settings/env.ts";
import { type RatingVariable, ratingAlgorithm, ratingVariables } from "../settings/rating-settings.ts";
import type { FieldErrors } from "../validation.ts";
import { settingFaultText, typedFault } from "./setting-fault.ts";

/**
 * The fields' texts by the setting's name.
 * A setting that is left out is the app's own.
 */
export type LabSettingTexts = Partial<Record<string, string>>;

/** Every setting once, though several algorithms may share it. */
export const labVariables: readonly RatingVariable[] = [
  ...new Map(
    algorithmNames.flatMap((name) => ratingVariables(name)).map((each) => [each.name, each]),
  ).values(),
];
export const settingNames: readonly string[] = labVariables.map(({ name }) => name);

export interface LabAlgorithm {
  name: string;
  parameters: AlgorithmSettings;
  algorithm: Algorithm<unknown>;
}

export interface LabSettings {
  /** The fields' values: the visitor's, or else the app's own. */
  texts: Record<string, string>;
  errors: FieldErrors;
  /** The settings in force; in place of a faulty one the app's own. */
  settings: Settings;
  /** Those of which nothing is wrong. */
  algorithms: LabAlgorithm[];
}

/** The app's own settings as they are written in the environment. */
export function settingTexts(own: Settings): Record<string, string> {
  const values: Record<string, unknown> = own;
  return Object.fromEntries(settingNames.map((name) => [name, String(values[name])]));
}

export function labSettings(given: LabSettingTexts, own: Settings): LabSettings {
  const ownTexts = settingTexts(own);
  const texts = { ...ownTexts };
  for (const name of settingNames) {
    const text = given[name];
    if (text?.trim()) texts[name] = text;
  }
  const { settings, errors } = checked(texts, ownTexts);
  const algorithms = algorithmNames.flatMap((name): LabAlgorithm[] => {
    if (faultyOf(name, errors).length > 0) return [];
    const parameters = ratingAlgorithm(settings, name);
    try {
      return [{ name, parameters, algorithm: createAlgorithm(parameters) }];
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      const { variable, text } = faultOf(name, error);
      errors[variable] = [text];
      return [];
    }
  });
  return { texts, errors, settings, algorithms };
}

/** The settings of an algorithm that something is wrong with. */
export function faultyOf(algorithm: string, errors: FieldErrors): string[] {
  return ratingVariables(algorithm)
    .map(({ name }) => name)
    .filter((name) => errors[name]);
}

function checked(texts: Record<string, string>, ownTexts: Record<string, string>) {
  const result = readSettings(texts);
  const errors: FieldErrors = {};
  if (result.ok) return { settings: result.value, errors };
  for (const { name, description } of labVariables)
    if (result.errors[name]) errors[name] = [settingFaultText(typedFault(description, texts[name] ?? ""))];
  const sound = { ...texts };
  for (const [name, text] of Object.entries(ownTexts)) if (errors[name]) sound[name] = text;
  const corrected = readSettings(sound);
  if (!corrected.ok)
    throw new Error(`The app's own settings are not sound: ${Object.keys(corrected.errors)}`);
  return { settings: corrected.value, errors };
}

/** The error about an algorithm's setting as one about the variable that sets it. */
function faultOf(algorithm: string, { setting, fault }: SettingError): { variable: string; text: string } {
  const variables = ratingVariables(algorithm);
  const variable = variables.find((each) => each.setting === setting);
  // Its bounds are in milliseconds.
  const isDuration = variable?.description.type === "duration";
  return {
    variable: variable?.name ?? variables[0]?.name ?? algorithm,
    text: settingFaultText(isDuration ? { kind: "duration" } : fault),
  };
}
