import fc from "fast-check";
import { expect, test } from "vitest";
import { requestSchema } from "./messages.ts";
import { readRequest } from "./read-request.ts";

const text = (length: number) => "x".repeat(length);
const part = fc.oneof(
  fc.constantFrom(
    ...[
      "consume",
      "peek",
      "wait",
      "rules",
      "go",
      "",
      0,
      -0,
      1,
      -1,
      0.5,
      Number.POSITIVE_INFINITY,
      1e300,
      600_000,
      600_000.5,
      2 ** 53,
    ],
    ...[
      true,
      null,
      [],
      {},
      ["x"],
      { a: 1 },
      { a: text(1_000) },
      { a: text(1_001) },
      { a: null },
      { a: {} },
      { "": 1 },
    ],
    ...[{ [text(200)]: 1 }, { [text(201)]: 1 }, { constructor: "x" }, { toString: 5, a: false }],
    ...[text(128), text(129), text(200), text(201), text(1_000), text(1_001)],
  ),
  fc.jsonValue(),
);
const name = fc.constantFrom(
  "id",
  "verb",
  "policy",
  "fields",
  "key",
  "cost",
  "maxWaitMs",
  "keys",
  "__proto__",
  "toString",
);
const likely = fc.record(
  {
    id: fc.oneof(fc.string({ minLength: 1, maxLength: 128 }), fc.maxSafeInteger()),
    verb: fc.constantFrom("consume", "peek", "refund", "wait", "reset", "rules"),
    policy: fc.string({ minLength: 1 }),
    key: fc.string(),
    cost: fc.double({ min: 0, minExcluded: true, noNaN: true }),
    maxWaitMs: fc.double({ min: 0, max: 600_000 }),
    fields: fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(fc.string(), fc.integer(), fc.boolean())),
  },
  { requiredKeys: [] },
);

test("Requests are read as the schema reads them, whatever comes", () => {
  const anything = fc.oneof(
    likely,
    fc.tuple(likely, name, part).map(([request, key, value]) => ({ ...request, [key]: value })),
    fc.array(fc.tuple(name, part)).map((parts) => Object.fromEntries(parts)),
    part,
  );
  fc.assert(
    fc.property(anything, (value) => {
      // As it comes: a "__proto__" is a name like others there.
      const written = JSON.stringify(value);
      const checked = requestSchema.safeParse(JSON.parse(written));
      const read = readRequest(JSON.parse(written));
      if (checked.success) expect(read).toEqual(checked.data);
      else expect(typeof read).toBe("string");
    }),
    { numRuns: 10_000, seed: 1 },
  );
});

test.each([
  '{"__proto__": "x"}',
  '{"fields": {"__proto__": "x"}}',
  '{"fields": {"a": 1e999}}',
  '{"cost": 1e999}',
])("%s is read as the schema reads it", (written) => {
  const checked = requestSchema.safeParse(JSON.parse(written));
  const read = readRequest(JSON.parse(written));
  if (checked.success) expect(read).toEqual(checked.data);
  else expect(typeof read).toBe("string");
});

test.each([
  [
    { verb: "go", cost: 0 },
    "verb: must be one of consume, peek, refund, wait, reset, rules; cost: must be above 0",
  ],
  [{ keys: "x" }, 'a request knows no "keys"; there are id, verb, policy, fields, key, cost, maxWaitMs'],
  [[], 'a request must be an object such as {"verb": "consume", "key": "user 17"}'],
  [5, 'a request must be an object such as {"verb": "consume", "key": "user 17"}'],
  [{ id: "" }, "id: must be text of 1 to 128 characters, or a whole number"],
  [{ fields: { user: null } }, "fields.user: must be text, a number, true or false"],
  [{ maxWaitMs: 600_001 }, "maxWaitMs: must be at most 600000"],
])("%j: %s", (value, fault) => {
  expect(readRequest(value)).toBe(fault);
});
