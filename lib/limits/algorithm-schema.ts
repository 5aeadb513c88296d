/** zod schemas of algorithms as JSON, derived from the library's definitions. */
import { z } from "zod";
import {
  type AlgorithmDefinition,
  type AlgorithmSettings,
  algorithmDefinitions,
  algorithmNames,
  isApplicableSetting,
  type SettingDescription,
} from "../limiter/index.ts";
import { longestMs } from "../settings/durations.ts";

const names = algorithmNames.join(", ");
const number = z.number("must be a number");

const isNested = ({ settings }: AlgorithmDefinition) =>
  Object.values(settings).some(({ type }) => type === "algorithm");

const nestedSchema = z.discriminatedUnion(
  "algorithm",
  schemasOf(algorithmDefinitions.filter((definition) => !isNested(definition))),
  `must be an algorithm with its parameters, one of ${names} but not ` +
    `${algorithmDefinitions
      .filter(isNested)
      .map(({ name }) => name)
      .join(", ")} itself`,
);

/** An algorithm and its settings, as JSON. */
export const algorithmSchema: z.ZodType<AlgorithmSettings> = z.discriminatedUnion(
  "algorithm",
  schemasOf(algorithmDefinitions),
  `must be one of ${names}`,
);

function schemasOf(definitions: readonly AlgorithmDefinition[]) {
  const [first, ...others] = definitions.map(schemaOf);
  if (!first) throw new Error("There is no algorithm.");
  return [first, ...others] as const;
}

function schemaOf({ name, settings }: AlgorithmDefinition) {
  const shape = Object.fromEntries(
    Object.entries(settings).map(([setting, description]) => {
      const schema = settingSchema(description);
      const isAlwaysThere = description.required && !description.onlyWith;
      return [setting, isAlwaysThere ? schema : schema.exactOptional()];
    }),
  );
  return z
    .strictObject({ ...shape, algorithm: z.literal(name) })
    .superRefine((written: AlgorithmSettings, context) => {
      for (const [setting, { onlyWith, required }] of Object.entries(settings)) {
        if (!onlyWith) continue;
        const isWritten = written[setting] !== undefined;
        const isApplicable = isApplicableSetting(written, setting);
        if (isWritten && !isApplicable)
          context.addIssue({ code: "custom", path: [setting], message: onlyWith.message });
        if (!isWritten && isApplicable && required)
          context.addIssue({ code: "custom", path: [setting], message: "is missing" });
      }
    });
}

function settingSchema(description: SettingDescription): z.ZodType {
  switch (description.type) {
    case "number":
      return number;
    case "duration":
      return number.max(longestMs, `must be at most ${longestMs}, a hundred years`);
    case "time-zone":
      return z.string("must be text");
    case "choice": {
      const values = description.choices.map(([value]) => value);
      return z.enum(values, `must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)}`);
    }
    case "algorithm":
      return nestedSchema;
  }
}
