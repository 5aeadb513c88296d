/** The common parts of the schemas of requests and of the configuration file. */
import { z } from "zod";
import { didYouMean } from "../lib/limiter/index.ts";

/** The most characters that the name of a policy, a rule or a field may have. */
export const longestName = 200;

export const nameSchema = z
  .string("must be text")
  .min(1, "must not be empty")
  .max(longestName, `must have at most ${longestName} characters`);

/**
 * Characters that names in the configuration must not contain.
 * Each name is on one line of logs and metrics.
 */
export const controlCharacter = /\p{Cc}/u;

/**
 * The messages for an object that is at fault.
 * They list the known keys if it has others; `mustBe` is the message for a value that is not an object.
 */
export function objectFault(known: readonly string[], mustBe: string): z.core.$ZodErrorMap {
  return (issue) =>
    issue.code === "unrecognized_keys"
      ? `knows no ${issue.keys.map((key) => JSON.stringify(key)).join(" and no ")}. ${didYouMean(issue.keys, known)}There are ${known.join(", ")}`
      : mustBe;
}
