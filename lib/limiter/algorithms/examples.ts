/** The examples of all algorithms, for tests that hold for each. */
import type { Algorithm } from "../types.ts";
import { algorithmDefinitions, createAlgorithm } from "./registry.ts";

export const algorithmExamples: readonly { name: string; algorithm: Algorithm<unknown> }[] =
  algorithmDefinitions.flatMap(({ name, examples }) =>
    examples.map((settings) => ({
      name: `${name} ${JSON.stringify(settings)}`,
      algorithm: createAlgorithm({ algorithm: name, ...settings }),
    })),
  );
