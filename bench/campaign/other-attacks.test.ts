import { expect, test } from "vitest";
import { otherAttacks } from "./other-attacks.ts";

test.each((await otherAttacks()).map((attack) => [attack.name, attack] as const))(
  "%s: succeeds under the rules of before, and not under today's",
  (_, { before, after, allowed }) => {
    expect(before).toBeGreaterThan(allowed);
    expect(after).toBeLessThanOrEqual(allowed);
  },
);
