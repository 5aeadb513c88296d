/**
 * The app's limits: the defaults (`default-limits.ts`) with the setting LIMITS.
 *
 * LIMITS overrides any of them: `{"register.address": {"mode": "off"}}` or
 * `{"login.account": {"capacity": 5}}` or `{"rating.post": {"algorithm": "ema", "threshold": 5}}`.
 * Parameters that an override leaves out are those of the defaults, as long as the algorithm stays the same.
 *
 * A further limit on the same subject has a name of its own behind the first one's, with all its settings: in shadow,
 * `{"rating.post.ema": {"mode": "shadow", "algorithm": "ema"}}` decides on the requests of "rating.post", by another
 * algorithm, and only its record is kept.
 */

import { didYouMean, isApplicableSetting } from "../limiter/index.ts";
import { env, type Settings, SettingsError } from "../settings/env.ts";
import { ratingVariables } from "../settings/rating-settings.ts";
import { defaultLimits, type PolicyName } from "./default-limits.ts";
import { type ConfiguredPolicy, PolicyFault, policyFrom, policySchema } from "./policy-schema.ts";

export interface Limit extends ConfiguredPolicy {
  /** "rating.post", or a further one such as "rating.post.ema". */
  name: string;
  /** The counted subject. */
  counts: PolicyName;
  mode: "enforce" | "hold" | "shadow";
}

/**
 * The active policies of each name.
 * The policy itself and further ones, those that are enforced first.
 */
export type Limits = Record<PolicyName, readonly Limit[]>;

/** The policies of the settings. Throws `SettingsError`. */
export function limitsFrom(settings: Settings): Limits {
  const defaults = defaultLimits(settings);
  const overrides = Object.entries(settings.LIMITS);
  const names = Object.keys(defaults);
  for (const [name] of overrides)
    if (!names.some((known) => name === known || isFurther(name, known)))
      throw new SettingsError(
        `Bad setting. LIMITS: there is no policy ${JSON.stringify(name)}. ${didYouMean([name], names)}` +
          `There are ${names.join(", ")}, and further ones such as rating.post.second`,
      );

  const policies = (counts: PolicyName): Limit[] => {
    const given = settings.LIMITS[counts] ?? {};
    const own = defaults[counts];
    // A number for a limit that is off turns it on.
    const isGiven = Object.keys(given).some((key) => key !== "outage" && key !== "localShare");
    const mode = isGiven ? "enforce" : own.mode;
    const isSameAlgorithm = given.algorithm === undefined || given.algorithm === own.algorithm;
    const merged = { ...own, ...given, algorithm: own.algorithm };
    const goTogether = Object.keys(own).every((key) => key in given || isApplicableSetting(merged, key));
    const kept = !isSameAlgorithm
      ? { mode }
      : goTogether
        ? { ...own, mode }
        : { mode, algorithm: own.algorithm };
    const rating =
      counts === "rating.post" && !(counts in settings.LIMITS) ? settings.RATING_LIMITER : "none";
    const namedBy =
      rating === "none"
        ? `LIMITS: ${counts}`
        : ratingVariables(rating)
            .map(({ name }) => name)
            .join(" and ");
    const further = overrides.filter(([name]) => isFurther(name, counts));
    const holds =
      counts === "login.delay" || (counts === "rating.post" && settings.RATING_OVERFLOW === "hold");
    return [
      limitFrom(counts, counts, { ...kept, ...given }, namedBy),
      ...further.map(([name, parameters]) => limitFrom(name, counts, parameters, `LIMITS: ${name}`)),
    ]
      .filter((policy) => policy !== undefined)
      .map((policy) => (holds && policy.mode === "enforce" ? { ...policy, mode: "hold" as const } : policy))
      .toSorted((a, b) => Number(a.mode === "shadow") - Number(b.mode === "shadow"));
  };
  return {
    "rating.post": policies("rating.post"),
    "rating.user": policies("rating.user"),
    "rating.address": policies("rating.address"),
    "rating.change": policies("rating.change"),
    "post.user": policies("post.user"),
    "post.render": policies("post.render"),
    "post.preview": policies("post.preview"),
    "media.user": policies("media.user"),
    "review.user": policies("review.user"),
    "register.address": policies("register.address"),
    "register.network": policies("register.network"),
    "register.wide-network": policies("register.wide-network"),
    "register.site": policies("register.site"),
    "register.known-networks": policies("register.known-networks"),
    "login.address": policies("login.address"),
    "login.account": policies("login.account"),
    "login.delay": policies("login.delay"),
    "login.known-browser": policies("login.known-browser"),
    "login.second-factor": policies("login.second-factor"),
    "reset.address": policies("reset.address"),
    "reset.account": policies("reset.account"),
    "email.user": policies("email.user"),
    "subscribe.address": policies("subscribe.address"),
    "subscribe.network": policies("subscribe.network"),
    "subscribe.site": policies("subscribe.site"),
    "password.user": policies("password.user"),
    "search.address": policies("search.address"),
    "search.wide-network": policies("search.wide-network"),
    "lab.address": policies("lab.address"),
    "lab.wide-network": policies("lab.wide-network"),
    "image.address": policies("image.address"),
    "image.wide-network": policies("image.wide-network"),
    "export.user": policies("export.user"),
    "api.token": policies("api.token"),
  };
}

function isFurther(name: string, counts: string): boolean {
  return name.startsWith(`${counts}.`) && /^[\w-]+$/.test(name.slice(counts.length + 1));
}

/**
 * Undefined for a policy that is off.
 * `namedBy` is where its numbers were set, for the message when they make no sense.
 */
function limitFrom(
  name: string,
  counts: PolicyName,
  given: Record<string, unknown>,
  namedBy: string,
): Limit | undefined {
  // A further limit has to set its mode: by default there would be none.
  const written = policySchema.safeParse({ ...given, mode: given.mode ?? null });
  if (!written.success) {
    const faults = written.error.issues.map(
      (issue) => `${issue.path.join(".") || "the policy"}: ${issue.message}`,
    );
    throw badLimit(`LIMITS: ${name}: ${faults.join("; ")}`);
  }
  try {
    const { mode, ...policy } = policyFrom(name, written.data);
    return mode === "off" ? undefined : { ...policy, mode, counts };
  } catch (error) {
    if (!(error instanceof PolicyFault)) throw error;
    const where = error.setting ? `LIMITS: ${name}: ${error.setting}` : namedBy;
    throw badLimit(`${where}: ${error.message}`);
  }
}

function badLimit(fault: string): SettingsError {
  return new SettingsError(`Bad setting. ${fault.replace(/\s+/g, " ")}`);
}

/** The app's own limits, as its settings have them. */
export const limits: Limits = limitsFrom(env);
