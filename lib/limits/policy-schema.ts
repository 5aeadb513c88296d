/**
 * The schema of a policy's settings: algorithm, mode and outage.
 * The blog's are in `lib/limits/index.ts` and LIMITS, those of the limiter service in its file.
 */
import { z } from "zod";
import {
  type Algorithm,
  type AlgorithmSettings,
  algorithmDefinition,
  createAlgorithm,
  didYouMean,
  type Policy,
} from "../limiter/index.ts";
import { algorithmSchema } from "./algorithm-schema.ts";

export interface ConfiguredPolicy extends Policy {
  /** The settings that the algorithm was made from. */
  parameters: AlgorithmSettings;
}

const behaviourSchema = z.object({
  mode: z.enum(["enforce", "shadow", "off"], "must be enforce, shadow or off").default("enforce"),
  outage: z.enum(["closed", "open", "local"], "must be closed, open or local").default("local"),
  /**
   * The share of the limit that `local` applies.
   * One part for each process that shares the limit.
   */
  localShare: z.number("must be a number").gt(0, "must be above 0").max(1, "must be at most 1").default(0.5),
});

const uncheckedSchema = z.record(z.string(), z.unknown());
type Unchecked = z.infer<typeof uncheckedSchema>;

export interface WrittenPolicy extends z.infer<typeof behaviourSchema> {
  parameters: AlgorithmSettings;
}

/** A policy as JSON: its behaviour beside the algorithm and its parameters. */
export const policySchema = z
  .record(z.string(), z.unknown(), "must be an object with an algorithm and its parameters")
  .transform(({ mode, outage, localShare, ...rest }, context): WrittenPolicy => {
    const behaviour = behaviourSchema.safeParse({ mode, outage, localShare });
    const parameters = algorithmSchema.safeParse(rest);
    if (behaviour.success && parameters.success) return { ...behaviour.data, parameters: parameters.data };
    for (const issue of [...(behaviour.error?.issues ?? []), ...(parameters.error?.issues ?? [])])
      for (const { path, message } of issue.code === "unrecognized_keys" ? unknownKeys(issue, rest) : [issue])
        context.addIssue({ code: "custom", path, message });
    return z.NEVER;
  });

/** Reports each unknown key at its own place, with the known ones. */
function unknownKeys(
  { path, keys }: { path: PropertyKey[]; keys: string[] },
  { algorithm, ...settings }: Unchecked,
) {
  const isWhole = path.length === 0;
  const name = String(isWhole ? algorithm : uncheckedSchema.parse(settings[String(path[0])]).algorithm);
  const known = [
    ...Object.keys(algorithmDefinition(name).settings),
    ...(isWhole ? Object.keys(behaviourSchema.shape) : []),
  ];
  return keys.map((key) => ({
    path: [...path, key],
    message: `is not known. ${didYouMean([key], known)}The settings of ${name} are ${known.join(", ")}`,
  }));
}

/** A number that the algorithm cannot do with, though it is one. */
export class PolicyFault extends RangeError {
  override name = "PolicyFault";
  /**
   * The policy's setting at fault.
   * Undefined when it is one of the algorithm's parameters, which the message names.
   */
  readonly setting: "localShare" | undefined;

  constructor(message: string, setting?: "localShare") {
    super(message);
    this.setting = setting;
  }
}

/** The policy itself. Throws `PolicyFault`. */
export function policyFrom(
  name: string,
  { mode, outage, localShare, parameters }: WrittenPolicy,
): ConfiguredPolicy {
  const algorithm = made(() => createAlgorithm(parameters));
  return {
    name,
    mode,
    algorithm,
    parameters,
    outage:
      outage === "local"
        ? { local: made(() => algorithm.scale(localShare), "localShare"), share: localShare }
        : outage,
  };
}

function made(make: () => Algorithm<unknown>, setting?: "localShare"): Algorithm<unknown> {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) throw new PolicyFault(error.message, setting);
    throw error;
  }
}
