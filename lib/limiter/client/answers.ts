/**
 * Decodes the service's answers.
 * Answers are trusted: only the fields that distinguish their kinds are checked.
 */
import type { Decision } from "../types.ts";
import { LimiterServiceError } from "./error.ts";

/** A decision with the fields that only the service adds. */
export type ServiceDecision = Omit<Decision, "reason"> & {
  /**
   * The algorithm's reason, or another.
   * A rule with a fixed answer decided, the service's store is unavailable, or no limit applies.
   */
  reason: Decision["reason"] | { fixed: "allow" | "deny" } | { unavailable: true } | { unlimited: true };
  /** The rule that decided; null when none did, or when the request named a policy. */
  rule: string | null;
  policy: string | null;
  /** The message of the rule that decided. */
  message?: string;
};

/** The answer's type for each verb. */
export type Answers = {
  consume: ServiceDecision;
  peek: ServiceDecision;
  wait: ServiceDecision;
  refund: { refunded: boolean };
  reset: { reset: true };
  rules: { rules: ServiceDecision[] };
};
export type Verb = keyof Answers;

export type ServiceMessage = Record<string, unknown>;

/** An answer's fields; undefined when it is not a JSON object. */
export function readMessage(body: Uint8Array): ServiceMessage | undefined {
  try {
    const message: unknown = JSON.parse(new TextDecoder().decode(body));
    return isObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @throws LimiterServiceError with the service's error, or when the kind differs
 */
export function readAnswer<V extends Verb>(verb: V, message: ServiceMessage): Answers[V] {
  const { error } = message;
  if (error !== undefined) throw new LimiterServiceError(`The limiter service refused ${verb}: ${error}`);
  return readers[verb](message);
}

const readers: { [V in Verb]: (message: ServiceMessage) => Answers[V] } = {
  consume: readDecision,
  peek: readDecision,
  wait: readDecision,
  refund: ({ refunded }) => (typeof refunded === "boolean" ? { refunded } : foreign()),
  reset: ({ reset }) => (reset === true ? { reset } : foreign()),
  rules: ({ rules }) => (Array.isArray(rules) && rules.every(isDecision) ? { rules } : foreign()),
};

function readDecision(message: ServiceMessage): ServiceDecision {
  return isDecision(message) ? message : foreign();
}

function isDecision(value: unknown): value is ServiceDecision {
  return isObject(value) && typeof value.allowed === "boolean" && isObject(value.reason);
}

function isObject(value: unknown): value is ServiceMessage {
  return typeof value === "object" && value !== null;
}

function foreign(): never {
  throw new LimiterServiceError(
    "The limiter service answered what this client does not know. Use the same version of both",
  );
}
