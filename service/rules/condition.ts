/**
 * Whether a field's value meets a condition.
 * Values are compared as text: 5 is "5", and true is "true". An address is the same in any spelling.
 */
import { withinRanges } from "../../lib/http/address-ranges.ts";
import { canonicalAddress } from "../../lib/http/client-address.ts";
import type { Condition, FieldValue } from "./condition-schema.ts";

/**
 * Whether a value meets a condition; undefined is a missing field.
 * A missing field meets only a `not`.
 */
export type Matcher = (value: FieldValue | undefined) => boolean;

/** All parts of a condition must hold. `valuesOf` knows the values in a file. */
export function matcherOf(condition: Condition, valuesOf: (file: string) => ReadonlySet<string>): Matcher {
  const tests = testsOf(condition, valuesOf);
  const { not } = condition;
  const isOther = not && matcherOf(not, valuesOf);
  const needsValue = Object.keys(condition).some((part) => part !== "not");
  return (value) => {
    if (isOther?.(value)) return false;
    return value === undefined ? !needsValue : tests.every((test) => test(value));
  };
}

function testsOf(
  { equals, oneOf, from, to, lessThan, greaterThan, cidr, inFile }: Condition,
  valuesOf: (file: string) => ReadonlySet<string>,
): ((value: FieldValue) => boolean)[] {
  const tests: ((value: FieldValue) => boolean)[] = [];
  const number = (test: (value: number) => boolean) =>
    tests.push((value) => {
      const asNumber = numberOf(value);
      return asNumber !== undefined && test(asNumber);
    });
  if (equals !== undefined) {
    const wanted = comparable(equals);
    tests.push((value) => comparable(value) === wanted);
  }
  if (oneOf) {
    const wanted = new Set(oneOf.map(comparable));
    tests.push((value) => wanted.has(comparable(value)));
  }
  if (from !== undefined) number((value) => value >= from);
  if (to !== undefined) number((value) => value <= to);
  if (lessThan !== undefined) number((value) => value < lessThan);
  if (greaterThan !== undefined) number((value) => value > greaterThan);
  if (cidr) {
    const isWithin = withinRanges(cidr);
    tests.push((value) => typeof value === "string" && isWithin(value));
  }
  if (inFile !== undefined) {
    const wanted = new Set(Array.from(valuesOf(inFile), comparable));
    tests.push((value) => wanted.has(comparable(value)));
  }
  return tests;
}

/** As text; an address in its one spelling. */
function comparable(value: FieldValue): string {
  const text = String(value);
  return text.includes(":") ? (canonicalAddress(text) ?? text) : text;
}

/**
 * A number, or text that is one as people and JSON write them.
 * Undefined for anything else.
 */
function numberOf(value: FieldValue): number | undefined {
  if (typeof value === "number") return value;
  const isNumeric = typeof value === "string" && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value);
  return isNumeric ? Number(value) : undefined;
}
