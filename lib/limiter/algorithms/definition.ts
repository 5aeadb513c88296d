import type { LimitReason, Reason } from "../reasons.ts";
import { formatNumber } from "../text.ts";
import type { Algorithm, Decision } from "../types.ts";
import type { Phrase } from "./phrase.ts";

/**
 * An algorithm by name with its settings, as JSON.
 * Example: `{ algorithm: "leaky-bucket", capacity: 20, leakPerSecond: 10 }`.
 */
export type AlgorithmSettings = { algorithm: string; [setting: string]: unknown };

/**
 * One setting, as plain data.
 * Schemas, environment variables and form fields are made from it.
 *
 * - `number`: above 0; 0 too with `orZero`
 * - `duration`: a number of milliseconds, as `number`
 * - `choice`: one of `choices`
 * - `time-zone`: an IANA name such as "Europe/Berlin"
 * - `algorithm`: another algorithm with its settings
 */
export type SettingDescription = {
  /** The setting's name in forms. */
  readonly label: string;
  /** True where settings without it are refused; otherwise `default` stands in. */
  readonly required?: true;
  /** The default where processes count separately and report grants to each other. */
  readonly defaultAmongPeers?: string;
  /**
   * The setting applies to these values of another setting only.
   * `message` completes "this setting …".
   */
  readonly onlyWith?: {
    readonly setting: string;
    readonly values: readonly string[];
    readonly message: string;
  };
} & (
  | {
      readonly type: "number" | "duration";
      readonly default: number;
      /** 0 is allowed, too, and turns something off. */
      readonly orZero?: true;
    }
  | {
      readonly type: "choice";
      readonly default: string;
      readonly choices: readonly (readonly [value: string, label: string])[];
    }
  | { readonly type: "time-zone"; readonly default: string }
  | { readonly type: "algorithm"; readonly default: AlgorithmSettings }
);

/** One field of a reason, as plain data: API schemas are made from it. */
export type ReasonField = {
  readonly type: "number" | "text" | "boolean" | "decision";
  readonly nullable?: true;
  readonly description?: string;
};

/** A measured value of an algorithm, for a chart. */
export type Level = {
  /** For catalogues of messages. */
  key: string;
  /** The name of the value, e.g. "Tokens". */
  name: string;
  /** Before the request. */
  value: number;
  /** The amount that one allowed request adds. */
  perRequest: number;
  /** The value after a long time without requests; null where it stays as it is. */
  rest: number | null;
  /** Whether it moves towards `rest` steadily, or gets there at one instant. */
  isSteady: boolean;
  /** The value at which decisions change, and the meaning of that. */
  threshold: number;
  meaning: string;
  /** The least top of a scale. */
  top: number;
  /** Which of several values was nearest to a refusal. */
  nearest: "lowest" | "highest";
};

/** The limit that a refused request exceeded, for an application's own sentence. */
export type Bound =
  | { kind: "rate"; perSecond: number }
  | { kind: "quota"; limit: number; windowMs: number }
  /**
   * The day's requests that another limit does not count are used up.
   * `beyond` counts the rest.
   */
  | { kind: "after-quota"; limit: number; beyond: Bound }
  /** Faster than is usual for the key. */
  | { kind: "usual"; gapMs: number };

/** A limit as the RateLimit headers announce it. */
export type Quota = {
  requests: number;
  windowMs: number;
  remaining: number;
  /** Until more requests pass than now. */
  moreAfterMs: number;
};

/**
 * An algorithm as data: its settings, reason and texts.
 *
 * Each method takes settings or a reason of its own algorithm only, which the registry makes sure of by name. The last
 * argument does the same for an algorithm nested in this one.
 */
export interface AlgorithmDefinition<
  Settings extends object = Record<string, unknown>,
  R extends LimitReason = LimitReason,
> {
  readonly name: string;
  readonly title: string;
  /** Forms and messages list the algorithms by this number, ascending. */
  readonly order: number;
  /** One sentence on how it works. */
  readonly description: string;
  readonly settings: { readonly [Name in keyof Settings]-?: SettingDescription };
  /**
   * Settings for a limit that holds floods instead of refusing them.
   * Only one algorithm has them, and it is the default for such limits.
   */
  readonly whenHolding?: Partial<Settings>;
  readonly reason: { readonly [Field in Exclude<keyof R, "algorithm" | "neverFits">]: ReasonField };
  /**
   * Small limits, one for each way in which the algorithm works.
   * Tests that hold for all algorithms run with each.
   */
  readonly examples: readonly [Settings, ...Settings[]];
  /** @throws RangeError naming the setting that makes no sense */
  create(
    settings: Settings,
    createNested: (settings: AlgorithmSettings) => Algorithm<unknown>,
  ): Algorithm<unknown, R>;
  /** Its settings in a phrase: "20 at once, then 10 a second". */
  summarize(settings: Settings, summarizeNested: (settings: AlgorithmSettings) => Phrase): Phrase;
  /** Why it decided, in a sentence without its full stop. */
  explain(reason: R, explainNested: (reason: Reason) => Phrase): Phrase;
  level(reason: R): Level;
  bound(reason: R, boundOfNested: (reason: Reason) => Bound | undefined): Bound;
  /** Undefined where there is nothing to announce. */
  quota(
    reason: R,
    decision: Decision,
    quotaOfNested: (decision: Decision) => Quota | undefined,
  ): Quota | undefined;
}

/** So many requests per window; more pass when it ends. */
export function windowQuota(requests: number, windowMs: number, decision: Decision): Quota {
  const remaining = decision.remaining ?? (decision.allowed ? 1 : 0);
  return { requests, windowMs, remaining, moreAfterMs: decision.resetAfterMs };
}

/** A count from 0 up to a limit, which is reset at one instant. */
export function countLevel(key: string, name: string, used: number, limit: number): Level {
  return {
    key,
    name,
    value: used,
    perRequest: 1,
    rest: 0,
    isSteady: false,
    threshold: limit,
    meaning: `at most ${formatNumber(limit)}`,
    top: limit,
    nearest: "highest",
  };
}
