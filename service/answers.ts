/**
 * Schemas of the service's answers.
 * The types and the API's description are made from them.
 */
import { z } from "zod";
import { algorithmDefinitions, type Decision, type Reason, type ReasonField } from "../lib/limiter/index.ts";
import { type Request, requestSchema } from "./messages.ts";

const text = z.string();
const number = z.number();

/**
 * The reason of a limit's decision.
 * The fields of each algorithm's reason, from its definition.
 */
export const limitReasonSchema: z.ZodType<Reason> = z
  .union([
    ...algorithmDefinitions.map(({ name, reason }) =>
      z.object({
        algorithm: z.literal(name),
        neverFits: z.literal(false),
        ...Object.fromEntries(
          Object.entries(reason).map(([field, type]) => [field, reasonFieldSchema(type)]),
        ),
      }),
    ),
    z.object({
      algorithm: text,
      neverFits: z
        .literal(true)
        .describe("The cost is above the most that the limit can hold: waiting does not help."),
      cost: number,
      limit: number,
      windowMs: number,
    }),
  ])
  .describe("The reason of the decision, as data: the limit's algorithm, parameters and level.");

function reasonFieldSchema({ type, nullable, description }: ReasonField): z.ZodType {
  const plain = {
    number,
    text,
    boolean: z.boolean(),
    decision: z.lazy(() => limitDecisionSchema),
  }[type];
  const schema = nullable ? plain.nullable() : plain;
  return description === undefined ? schema : schema.describe(description);
}

const decisionShape = {
  allowed: z.boolean(),
  limit: number
    .nullable()
    .describe("The largest cost that passes at one instant; null when there is no such number."),
  remaining: number
    .nullable()
    .describe(
      "How many requests of cost 1 would still pass now: after this one, or, for peek and rules, which count nothing, in all; null when unknown.",
    ),
  retryAfterMs: number.describe(
    "Milliseconds until the same request would pass, if no other arrives; 0 when allowed, or when it never will.",
  ),
  resetAfterMs: number.describe("Milliseconds until the limit is unused again."),
};

/** The decision of one limit. */
export const limitDecisionSchema: z.ZodType<Decision> = z.object({
  ...decisionShape,
  reason: limitReasonSchema,
});

const echo = {
  id: requestSchema.shape.id.unwrap().describe("The request's id.").exactOptional(),
};

/** The answer to `consume`, `peek` and `wait`. */
export const decisionAnswerSchema = z.object({
  ...echo,
  ...decisionShape,
  rule: text
    .nullable()
    .describe("The rule that decided; null when none did, or when the request named a policy."),
  policy: text.nullable(),
  reason: z.union([
    limitReasonSchema,
    z.object({ fixed: z.enum(["allow", "deny"]) }).describe("The rule has a fixed answer."),
    z.object({ unavailable: z.literal(true) }).describe("The counts are unavailable just now."),
    z.object({ unlimited: z.literal(true) }).describe("No limit applies."),
  ]),
  message: text
    .describe("The message of the rule that decided: with a refusal, and with a fixed answer.")
    .exactOptional(),
  shadow: z
    .literal(true)
    .describe("Among rules: a rule in shadow, which counts and refuses nothing.")
    .exactOptional(),
});

export const refundAnswerSchema = z.object({
  ...echo,
  refunded: z.boolean().describe("Whether a cost was refunded."),
});
export const resetAnswerSchema = z.object({ ...echo, reset: z.literal(true) });
export const rulesAnswerSchema = z.object({
  ...echo,
  rules: z
    .array(decisionAnswerSchema)
    .describe("All matching rules, each with its decision; nothing is counted."),
});
export const faultAnswerSchema = z.object({
  ...echo,
  error: text.describe("The fault, and its remedy."),
  unavailable: z
    .literal(true)
    .describe("The request is valid, but the counts are unavailable: try again in a moment.")
    .exactOptional(),
});

const answerSchema = z.union([
  decisionAnswerSchema,
  refundAnswerSchema,
  resetAnswerSchema,
  rulesAnswerSchema,
  faultAnswerSchema,
]);

export type DecisionAnswer = z.infer<typeof decisionAnswerSchema>;
export type Answer = z.infer<typeof answerSchema>;

/** An answer, and its JSON. */
export interface EncodedAnswer {
  answer: Answer;
  text: string;
}

/**
 * Executes requests, for both protocols.
 * Never throws or rejects: errors are answers.
 */
export interface Engine {
  /** `request` is checked already. Aborting answers a waiting request at once. */
  execute(request: Request, signal?: AbortSignal): MaybePromise<Answer>;
}

/**
 * A value, or the promise of one.
 * Decisions in memory are made at once, and a promise takes longer than one.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with a value, synchronously unless it is a promise. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => R): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
