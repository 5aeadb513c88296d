/** Requests, over either protocol. The API's description is made from this. */
import { z } from "zod";
import type { Verb } from "../lib/limiter/client.ts";
import { nameSchema, objectFault } from "./schema-parts.ts";

export type { Verb };

export const verbs = [
  "consume",
  "peek",
  "refund",
  "wait",
  "reset",
  "rules",
] as const satisfies readonly Verb[];

/** The longest `maxWaitMs`. */
const longestWaitMs = 600_000;

const idFault = "must be text of 1 to 128 characters, or a whole number";
const fieldValue = z.union(
  [z.string().max(1_000, "must have at most 1,000 characters"), z.number(), z.boolean()],
  "must be text, a number, true or false",
);

/** How many requests one list may have. */
export const mostInList = 100;

const parts = {
  /**
   * Idempotency key, returned in the answer.
   * Repeated within a minute, the request gets the same answer and is not counted again.
   */
  id: z.union([z.string().min(1, idFault).max(128, idFault), z.number().int(idFault)], idFault).optional(),
  verb: z.enum(verbs, `must be one of ${verbs.join(", ")}`).default("consume"),
  policy: nameSchema.optional(),
  /** The fields that rules compare, and make their keys of. */
  fields: z.record(nameSchema, fieldValue, "must be an object of texts and numbers").optional(),
  /** The key of the count, of all that the policy counts. */
  key: z.string("must be text").max(1_000, "must have at most 1,000 characters").optional(),
  cost: z
    .number("must be a number")
    .positive("must be above 0")
    .max(Number.MAX_SAFE_INTEGER, `must be at most ${Number.MAX_SAFE_INTEGER}`)
    .optional(),
  /** For the verb wait, and only there. */
  maxWaitMs: z
    .number("must be a number")
    .min(0, "must be 0 or more")
    .max(longestWaitMs, `must be at most ${longestWaitMs}`)
    .optional(),
};

/** One request: to the default policy when it has neither `policy` nor `fields`. */
export const requestSchema = z.strictObject(parts, {
  error: objectFault(Object.keys(parts), 'must be an object such as {"verb": "consume", "key": "user 17"}'),
});

export type Request = z.infer<typeof requestSchema>;

/**
 * The part that does not go with the request's other parts.
 * It is not a check of the schema: that would take a twentieth of a decision's time.
 */
export function combinationFault({ verb, policy, key, fields, maxWaitMs }: Request) {
  if (fields || verb === "rules") {
    const message = "must be left out: rules choose by fields";
    if (policy !== undefined) return { path: ["policy"], message };
    if (key !== undefined) return { path: ["key"], message };
  }
  if (verb === "wait" && maxWaitMs === undefined)
    return { path: ["maxWaitMs"], message: "is needed with wait: how long it may take, in milliseconds" };
  if (verb !== "wait" && maxWaitMs !== undefined)
    return { path: ["maxWaitMs"], message: "is for the verb wait" };
  return undefined;
}
