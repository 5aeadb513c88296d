/**
 * The algorithms, by name.
 * Settings, schemas, forms, headers and charts derive from their definitions.
 */
import type { Reason } from "../reasons.ts";
import { requireKnown } from "../settings.ts";
import type { Algorithm, Decision } from "../types.ts";
import * as all from "./all.ts";
import {
  type AlgorithmDefinition,
  type AlgorithmSettings,
  type Bound,
  type Level,
  type Quota,
  windowQuota,
} from "./definition.ts";
import { number, type Phrase, phrase, phraseText } from "./phrase.ts";

export * from "./all.ts";

/** In the order in which forms and messages list them. */
export const algorithmDefinitions: readonly AlgorithmDefinition[] = Object.values(all)
  .filter((exported) => typeof exported === "object" && "create" in exported)
  .toSorted((one, other) => one.order - other.order);

export const algorithmNames: readonly string[] = algorithmDefinitions.map(({ name }) => name);

const definitions = new Map(algorithmDefinitions.map((definition) => [definition.name, definition]));

/** @throws RangeError when the name is not known */
export function algorithmDefinition(name: string): AlgorithmDefinition {
  const definition = definitions.get(name);
  if (definition) return definition;
  throw new RangeError(`algorithm must be one of ${algorithmNames.join(", ")}, but is ${name}`);
}

/** @throws RangeError naming the setting that makes no sense */
export function createAlgorithm(settings: AlgorithmSettings): Algorithm<unknown> {
  const { algorithm, ...own } = settings;
  const definition = algorithmDefinition(algorithm);
  requireKnown(algorithm, own, Object.keys(definition.settings));
  return definition.create(own, createAlgorithm);
}

/** An algorithm's settings in a phrase: "20 at once, then 10 a second". */
export function summaryPhrase(settings: AlgorithmSettings): Phrase {
  return algorithmDefinition(settings.algorithm).summarize(settings, summaryPhrase);
}

/**
 * Whether a setting applies, given the others.
 * The time zone applies only to a window that is a calendar day.
 */
export function isApplicableSetting(settings: AlgorithmSettings, name: string): boolean {
  const descriptions = algorithmDefinition(settings.algorithm).settings;
  const onlyWith = descriptions[name]?.onlyWith;
  if (onlyWith === undefined) return true;
  const value = settings[onlyWith.setting] ?? descriptions[onlyWith.setting]?.default;
  return onlyWith.values.some((allowed) => allowed === value);
}

/** The settings for processes that report grants to each other. */
export function settingsAmongPeers(settings: AlgorithmSettings): AlgorithmSettings {
  const among = { ...settings };
  for (const [name, description] of Object.entries(algorithmDefinition(settings.algorithm).settings)) {
    const nested = nestedSettings(settings[name]);
    if (description.type === "algorithm" && nested) among[name] = settingsAmongPeers(nested);
    else if (description.defaultAmongPeers !== undefined) among[name] ??= description.defaultAmongPeers;
  }
  return among;
}

function nestedSettings(value: unknown): AlgorithmSettings | undefined {
  if (typeof value !== "object" || value === null || !("algorithm" in value)) return undefined;
  const { algorithm, ...settings } = value;
  return typeof algorithm === "string" ? { algorithm, ...settings } : undefined;
}

/** Why a limit decided as it did, in a sentence without its full stop. */
export function reasonPhrase(reason: Reason): Phrase {
  if (!reason.neverFits) return algorithmDefinition(reason.algorithm).explain(reason, reasonPhrase);
  const values = { cost: number(reason.cost), limit: number(reason.limit) };
  return phrase("never-fits", "{cost} can never fit a limit of {limit}", values);
}

/** The same sentence in English. */
export function explainReason(reason: Reason): string {
  return phraseText(reasonPhrase(reason));
}

/**
 * The level that the algorithm measured before the request.
 * Undefined when the request could never fit.
 */
export function levelOf(reason: Reason): Level | undefined {
  return reason.neverFits ? undefined : algorithmDefinition(reason.algorithm).level(reason);
}

/** The limit that a refused request exceeded; undefined when it could never fit. */
export function boundOf(reason: Reason): Bound | undefined {
  return reason.neverFits ? undefined : algorithmDefinition(reason.algorithm).bound(reason, boundOf);
}

/** The limit as the RateLimit headers announce it. */
export function quotaOf(decision: Decision): Quota | undefined {
  const { reason } = decision;
  return reason.neverFits
    ? windowQuota(reason.limit, reason.windowMs, decision)
    : algorithmDefinition(reason.algorithm).quota(reason, decision, quotaOf);
}
