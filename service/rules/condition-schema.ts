/** Conditions on a request's field as the configuration file writes them. */
import { z } from "zod";
import { isAddressRange } from "../../lib/http/address-ranges.ts";
import { objectFault } from "../schema-parts.ts";

const valueFault = "must be text, a number, true or false";
const value = z.union([z.string(), z.number(), z.boolean()], valueFault);
const values = z.array(value, "must be a list of values").min(1, "must not be empty");
const number = z.number("must be a number");
const range = z
  .string("must be a range of addresses such as 192.0.2.0/24")
  .refine(isAddressRange, "must be an address or a range such as 192.0.2.0/24 or 2001:db8::/32");
const ranges = z.preprocess(
  (written) => (Array.isArray(written) ? written : [written]),
  z.array(range).min(1, "must not be empty"),
);

/**
 * The conditions on a field's value; all must hold.
 * Short forms are spelled out: `"ada"` has become `{ equals: "ada" }`.
 */
export interface Condition {
  equals?: FieldValue | undefined;
  oneOf?: FieldValue[] | undefined;
  any?: true | undefined;
  from?: number | undefined;
  to?: number | undefined;
  lessThan?: number | undefined;
  greaterThan?: number | undefined;
  cidr?: string[] | undefined;
  inFile?: string | undefined;
  not?: Condition | undefined;
}

export type FieldValue = z.infer<typeof value>;

const parts = {
  equals: value.optional(),
  oneOf: values.optional(),
  any: z.literal(true, 'must be true; for a field that is absent write {"not": {"any": true}}').optional(),
  from: number.optional(),
  to: number.optional(),
  lessThan: number.optional(),
  greaterThan: number.optional(),
  cidr: ranges.optional(),
  inFile: z.string("must be the name of a file").min(1, "must be the name of a file").optional(),
  // Looked up when it is used: a condition is made of conditions.
  get not() {
    return conditionSchema.optional();
  },
};

/** All that a condition may have. */
export const conditionWords = Object.keys(parts);

const spelledOut = z
  .strictObject(parts, {
    error: objectFault(
      conditionWords,
      `must be a value, a list of values, or an object with some of ${conditionWords.join(", ")}`,
    ),
  })
  .refine(({ from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }) => from <= to, {
    path: ["to"],
    error: "must not be below from",
  });

export const conditionSchema: z.ZodType<Condition> = z.unknown().transform((written, context): Condition => {
  const short = ["string", "number", "boolean"].includes(typeof written);
  const long = short ? { equals: written } : Array.isArray(written) ? { oneOf: written } : written;
  const isEmpty = typeof long === "object" && long !== null && Object.keys(long).length === 0;
  if (isEmpty) context.addIssue(`must say something: there are ${conditionWords.join(", ")}`);
  const condition = spelledOut.safeParse(long);
  if (condition.success) return condition.data;
  for (const { path, message } of condition.error.issues)
    context.addIssue({ code: "custom", path: long === written ? path : path.slice(1), message });
  return z.NEVER;
});
