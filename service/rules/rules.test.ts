import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matcherOf } from "./condition.ts";
import { conditionSchema } from "./condition-schema.ts";
import { ruleSchema, stateKeys } from "./index.ts";
import { fieldsKey } from "./key.ts";

const files: Record<string, ReadonlySet<string>> = { "blocked.txt": new Set(["ada", "5", "192.0.2.7"]) };
const valuesOf = (file: string) => files[file] ?? new Set<string>();
const meets = (condition: unknown, value: string | number | boolean | undefined) =>
  matcherOf(conditionSchema.parse(condition), valuesOf)(value);

describe("conditions", () => {
  test.each([
    ["ada", ["ada"], ["Ada", "ad", "", 5, true, undefined]],
    [5, [5, "5"], ["5.0", 5.1, "05", undefined]],
    [true, [true, "true"], [false, 1, "TRUE", undefined]],
    ["", [""], [" ", 0, false, undefined]],
    [
      ["ada", 5],
      ["ada", "5", 5],
      ["bob", 55, undefined],
    ],
    [{ equals: "x" }, ["x"], ["y", undefined]],
    [{ oneOf: ["x", 1] }, ["x", 1, "1"], ["y", undefined]],
    [{ any: true }, ["", 0, false, "x"], [undefined]],
    [
      { from: 1, to: 5 },
      [1, 5, "1", "5.0", 3.3, "+2", "1e0"],
      [0.99, 5.01, "", " 3", "0x3", "three", true, undefined],
    ],
    [{ from: -1 }, [-1, "-.5", 1e300], [-1.1, "", undefined]],
    [{ to: 0 }, [0, "-1e9"], [0.1, "Infinity", "-Infinity", "NaN", undefined]],
    [{ lessThan: 5 }, [4.9, "-7"], [5, "5", "", undefined]],
    [{ greaterThan: 5 }, [5.1, "5.01"], [5, "5", undefined]],
    [{ greaterThan: 1, lessThan: 2, not: 1.5 }, [1.2], [1, 2, 1.5, "1.5", undefined]],
    [{ cidr: "10.0.0.0/8" }, ["10.0.0.1", "::ffff:10.1.2.3"], ["11.0.0.1", "10.0.0", 10, "", undefined]],
    [{ cidr: ["192.0.2.7", "2001:db8::/32"] }, ["192.0.2.7", "2001:DB8::1"], ["192.0.2.8", "2001:db9::1"]],
    [{ inFile: "blocked.txt" }, ["ada", 5, "192.0.2.7"], ["bob", "# ada", "", undefined]],
    ["2001:DB8::1", ["2001:db8::1", "2001:db8:0::1"], ["2001:db8::2", "2001:db8::1/64", undefined]],
    ["192.0.2.1", ["192.0.2.1", "::ffff:192.0.2.1"], ["192.0.2.2"]],
    [
      ["::ffff:192.0.2.1", "x:y"],
      ["192.0.2.1", "x:y"],
      ["192.0.2.2", "X:y"],
    ],
    [{ inFile: "blocked.txt" }, ["::ffff:192.0.2.7"], ["::ffff:192.0.2.8"]],
    [{ not: "ada" }, ["bob", undefined, 5], ["ada"]],
    [{ not: { any: true } }, [undefined], ["", 0]],
    [{ not: { not: "ada" } }, ["ada"], ["bob", undefined]],
    [{ not: ["a", "b"], any: true }, ["c"], ["a", "b", undefined]],
    [{ not: { cidr: "10.0.0.0/8" } }, ["11.0.0.1", "no address", undefined], ["10.0.0.1"]],
  ])("%j is met by %j and not by %j", (condition, met, unmet) => {
    for (const value of met) expect(meets(condition, value), JSON.stringify(value)).toBe(true);
    for (const value of unmet) expect(meets(condition, value), JSON.stringify(value)).toBe(false);
  });

  const value = fc.oneof(
    fc.string(),
    fc.integer().map(String),
    fc.ipV4(),
    fc.ipV6(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
  );
  const simple = fc.oneof(
    value.filter((each) => typeof each !== "number" || Number.isFinite(each)),
    fc.array(value, { minLength: 1, maxLength: 4 }),
    fc.record({ from: fc.integer({ min: -50, max: 0 }), to: fc.integer({ min: 0, max: 50 }) }),
    fc.record({ lessThan: fc.integer() }),
    fc.record({ greaterThan: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
    fc.record({ cidr: fc.tuple(fc.ipV4(), fc.nat(32)).map(([address, bits]) => `${address}/${bits}`) }),
    fc.constant({ inFile: "blocked.txt" }),
    fc.constant({ any: true }),
  );

  test("negates a condition, and restores it by a double negation", () => {
    fc.assert(
      fc.property(simple, fc.option(value, { nil: undefined }), (condition, given) => {
        const isMet = meets(condition, given);
        expect(meets({ not: condition }, given)).toBe(!isMet);
        expect(meets({ not: { not: condition } }, given)).toBe(isMet);
      }),
      { numRuns: 1_000, seed: 1 },
    );
  });
});

describe("ranges of addresses", () => {
  /** Slow and obviously right: an address as its bits, written out. */
  const bitsOf = (parts: readonly number[], width: number) =>
    parts.map((part) => part.toString(2).padStart(width, "0")).join("");
  const hex = (parts: readonly number[]) => parts.map((part) => part.toString(16)).join(":");
  const near = (size: number, most: number) =>
    fc
      .tuple(
        fc.array(fc.nat(most), { minLength: size, maxLength: size }),
        fc.array(fc.nat(most), { minLength: size, maxLength: size }),
        fc.nat(size),
      )
      .map(([network, other, kept]) => ({
        network,
        address: [...network.slice(0, kept), ...other.slice(kept)],
      }));

  test("matches IPv4 addresses with the same leading bits in every notation", () => {
    fc.assert(
      fc.property(near(4, 255), fc.nat(32), fc.nat(255), ({ network, address }, prefix, noise) => {
        const [a = 0, b = 0, c = 0, last = 0] = address;
        const tried = [a, b, c, last ^ (noise >> (noise % 8))];
        const isWithin = bitsOf(network, 8).slice(0, prefix) === bitsOf(tried, 8).slice(0, prefix);
        const condition = { cidr: `${network.join(".")}/${prefix}` };
        const [d = 0, e = 0, f = 0, g = 0] = tried;
        expect(meets(condition, tried.join("."))).toBe(isWithin);
        expect(meets(condition, `::ffff:${tried.join(".")}`)).toBe(isWithin);
        expect(meets(condition, `::ffff:${hex([d * 256 + e, f * 256 + g])}`)).toBe(isWithin);
        expect(meets({ cidr: `::ffff:${network.join(".")}/${96 + prefix}` }, tried.join("."))).toBe(isWithin);
        expect(meets({ cidr: "::/0" }, tried.join("."))).toBe(false);
      }),
      { numRuns: 1_000, seed: 1 },
    );
  });

  test("matches IPv6 addresses with the same leading bits", () => {
    fc.assert(
      fc.property(near(8, 0xffff), fc.nat(128), ({ network, address }, prefix) => {
        // Not among those that stand for IPv4.
        network[0] = 0x2000 | (network[0] ?? 0);
        const tried = [0x2000 | (address[0] ?? 0), ...address.slice(1)];
        const isWithin = bitsOf(network, 16).slice(0, prefix) === bitsOf(tried, 16).slice(0, prefix);
        expect(meets({ cidr: `${hex(network)}/${prefix}` }, hex(tried))).toBe(isWithin);
        expect(meets({ cidr: "0.0.0.0/0" }, hex(tried))).toBe(false);
      }),
      { numRuns: 1_000, seed: 1 },
    );
  });

  test("ignores the zone of an address", () => {
    expect(meets({ cidr: "fe80::/10" }, "fe80::1%eth0")).toBe(true);
  });
});

describe("keys", () => {
  const name = fc.oneof(
    fc.constantFrom("a", "b", "a=b", "a&b", "__proto__", "constructor", "%61"),
    fc.string({ minLength: 1 }),
  );
  const anyText = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("", "=", "&b=", "%61", "a", "\ud800", "\udfff", "\ufffd", "%ud800"),
  );
  const anyValue = fc.oneof(anyText, fc.integer(), fc.boolean());

  test("makes the same key only of the same fields, as text", () => {
    const own = (names: string[], values: unknown[]) => {
      const fields: Record<string, string | number | boolean> = {};
      names.forEach((each, index) => {
        const value = values[index];
        if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
          Object.defineProperty(fields, each, { value, enumerable: true });
      });
      return fields;
    };
    const values = (size: number) =>
      fc.array(fc.option(anyValue, { nil: undefined }), { minLength: size, maxLength: size });
    const two = fc
      .uniqueArray(name, { minLength: 1, maxLength: 4 })
      .chain((names) =>
        fc.record({ names: fc.constant(names), one: values(names.length), other: values(names.length) }),
      );
    fc.assert(
      fc.property(two, ({ names, one, other }) => {
        const key = fieldsKey(names);
        const shown = (each: unknown) => (each === undefined ? "absent" : `is ${String(each)}`);
        const areSame = one.every((value, index) => shown(value) === shown(other[index]));
        expect(key(own(names, one)) === key(own(names, other))).toBe(areSame);
        expect(key(own(names, one))).toMatch(/^[\x21-\x7e]*$/);
      }),
      { numRuns: 5_000, seed: 1 },
    );
  });

  test.each([
    [
      ["2001:db8::1", "2001:DB8::1", "2001:0db8:0:0:0::2", "2001:db8::1%eth0"],
      "2001%3Adb8%3A0%3A0%3A%3A%2F64",
    ],
    [["192.0.2.1", "::ffff:192.0.2.1", "::FFFF:c000:201"], "192.0.2.1"],
    [["192.0.2.1:80"], "192.0.2.1%3A80"],
    [["ada:1"], "ada%3A1"],
  ])("counts %j together", (spellings, counted) => {
    const key = fieldsKey(["address"]);
    for (const address of spellings) expect(key({ address })).toBe(`address=${counted}`);
  });

  test("escapes a key like a URL, with the name alone for an absent field", () => {
    const key = fieldsKey(["user", "path", "n"]);
    expect(key({ user: "ada b", path: "/a?b=c&d", n: 5, other: "x" })).toBe(
      "user=ada%20b&path=%2Fa%3Fb%3Dc%26d&n=5",
    );
    expect(key({ path: "" })).toBe("user&path=&n");
    expect(fieldsKey(["toString", "__proto__"])({})).toBe("toString&__proto__");
    expect(fieldsKey([])({ user: "ada" })).toBe("");
  });

  test("separates the states of different policies, algorithms, rules and keys", () => {
    const part = fc.oneof(fc.constantFrom("a", "a:b", "a:key", "key:a", ":", "rule:a", "%3A"), anyText);
    const state = fc.record({
      policy: part,
      algorithm: fc.constantFrom("ema", "x:y"),
      kind: fc.constantFrom("key" as const, "rule" as const),
      rule: part,
      key: fc.oneof(
        part,
        part.map((text) => text.padEnd(201, "x")),
      ),
    });
    const keyOf = ({
      policy,
      algorithm,
      kind,
      rule,
      key,
    }: typeof state extends fc.Arbitrary<infer T> ? T : never) =>
      stateKeys(
        { name: policy, algorithm: { name: algorithm, limit: 1, step: never, scale: never } },
        kind,
        rule,
      )(key);
    fc.assert(
      fc.property(state, state, (one, other) => {
        const parts = ({ rule, ...rest }: typeof one) =>
          JSON.stringify(rest.kind === "rule" ? { ...rest, rule } : rest);
        expect(keyOf(one) === keyOf(other)).toBe(parts(one) === parts(other));
        // Stores write keys as UTF-8.
        expect(keyOf(one).isWellFormed()).toBe(true);
      }),
      { numRuns: 5_000, seed: 1 },
    );
    const short = stateKeys(
      { name: "demo", algorithm: { name: "ema", limit: 1, step: never, scale: never } },
      "key",
    );
    expect(short("user 7")).toBe("demo:ema:key:user 7");
    expect(short("\ud800")).not.toBe(short("\ud801"));
  });
});

function never(): never {
  throw new Error("Unused");
}

describe("invalid rules", () => {
  const rule = { name: "r", policy: "demo" };

  test.each([
    [{ policy: "demo" }, "name", "must be text"],
    [{ name: "", policy: "demo" }, "name", "must not be empty"],
    [{ name: "r" }, "", 'must have either a policy or an answer, "allow" or "deny"'],
    [{ ...rule, answer: "deny" }, "", 'must have either a policy or an answer, "allow" or "deny"'],
    [{ name: "r", answer: "maybe" }, "answer", "must be allow or deny"],
    [
      { name: "r", answer: "deny", key: ["user"] },
      "key",
      "is for a policy's counts: a fixed answer counts nothing",
    ],
    [{ ...rule, key: "user" }, "key", "must be a list of fields' names"],
    [{ ...rule, key: ["user", "user"] }, "key", "names a field twice"],
    [{ ...rule, limit: 5 }, "", 'knows no "limit". There are name, when, key, policy, answer, tell'],
    [{ ...rule, when: [] }, "when", "must be an object: a condition for each field"],
    [
      { ...rule, when: { user: null } },
      "when.user",
      "must be a value, a list of values, or an object with some of equals, oneOf, any, from, to, lessThan, greaterThan, cidr, inFile, not",
    ],
    [
      { ...rule, when: { user: {} } },
      "when.user",
      "must say something: there are equals, oneOf, any, from, to, lessThan, greaterThan, cidr, inFile, not",
    ],
    [
      { ...rule, when: { user: { is: 5 } } },
      "when.user",
      'knows no "is". There are equals, oneOf, any, from, to, lessThan, greaterThan, cidr, inFile, not',
    ],
    [{ ...rule, when: { user: [] } }, "when.user", "must not be empty"],
    [{ ...rule, when: { user: ["a", null] } }, "when.user.1", "must be text, a number, true or false"],
    [
      { ...rule, when: { user: { any: false } } },
      "when.user.any",
      'must be true; for a field that is absent write {"not": {"any": true}}',
    ],
    [{ ...rule, when: { n: { from: "1" } } }, "when.n.from", "must be a number"],
    [{ ...rule, when: { n: { from: 5, to: 1 } } }, "when.n.to", "must not be below from"],
    [
      { ...rule, when: { a: { cidr: "10.0.0.0/33" } } },
      "when.a.cidr.0",
      "must be an address or a range such as 192.0.2.0/24 or 2001:db8::/32",
    ],
    [
      { ...rule, when: { a: { cidr: ["::1", "localhost"] } } },
      "when.a.cidr.1",
      "must be an address or a range such as 192.0.2.0/24 or 2001:db8::/32",
    ],
    [
      { ...rule, when: { a: { not: { not: { cidr: "fe80::%eth0/10" } } } } },
      "when.a.not.not.cidr.0",
      "must be an address or a range such as 192.0.2.0/24 or 2001:db8::/32",
    ],
    [{ ...rule, tell: 5 }, "tell", "must be text"],
    ["deny", "", "must be an object with a name, and a policy or an answer"],
  ])("%j: %s %s", (written, path, message) => {
    const { error } = ruleSchema.safeParse(written);
    expect(error?.issues.map((issue) => [issue.path.join("."), issue.message])).toEqual([[path, message]]);
  });
});
