import { expect, test } from "vitest";
import { PolicyFault, policyFrom, policySchema } from "./policy-schema.ts";

const bucket = { algorithm: "leaky-bucket", capacity: 4, leakPerSecond: 1 };
const made = (written: unknown) => policyFrom("demo", policySchema.parse(written));
const levelOf = (algorithm: ReturnType<typeof made>["algorithm"]) => algorithm.step(undefined, 0, 1).decision;

test("a policy is enforced, and in an outage falls back to half the limit, unless set otherwise", () => {
  const { outage, ...policy } = made(bucket);
  expect(policy).toMatchObject({
    name: "demo",
    mode: "enforce",
    parameters: bucket,
    algorithm: { limit: 4 },
  });
  if (typeof outage === "string") throw new Error("Nothing stands in.");
  expect(levelOf(outage.local)).toMatchObject({ limit: 2 });
  expect(made({ ...bucket, mode: "off", outage: "open" })).toMatchObject({ mode: "off", outage: "open" });
  expect(made({ ...bucket, localShare: 1 }).outage).toMatchObject({ local: { limit: 4 }, share: 1 });
});

test("reports every fault at its place", () => {
  const faultsOf = (written: unknown) =>
    policySchema.safeParse(written).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  expect(faultsOf({ ...bucket, mode: "on", localShare: 2, capacity: "4" })).toEqual([
    "mode: must be enforce, shadow or off",
    "localShare: must be at most 1",
    "capacity: must be a number",
  ]);
  expect(faultsOf("ema")).toEqual([": must be an object with an algorithm and its parameters"]);
});

test("refuses numbers that the algorithm or its outage fallback cannot use, and names the setting", () => {
  expect(() => made({ ...bucket, capacity: 0 })).toThrow(PolicyFault);
  expect(() => made({ ...bucket, capacity: 0 })).toThrow(/leakyBucket: capacity must be/);
  const slowest = { ...bucket, leakPerSecond: Number.MIN_VALUE, localShare: 0.25 };
  expect(() => made(slowest)).toThrow(PolicyFault);
});
