import { expect, test } from "vitest";
import { createInFlightDecisions } from "./in-flight-decisions.ts";

test("finds each decision by its request's id until it is removed, also among others of one bucket", () => {
  const { add, find, remove } = createInFlightDecisions();
  const answering = new Promise<never>(() => {});
  const ids = ["a", 1, "1", "b"];
  for (const [fingerprint, id] of ids.entries())
    add(2 ** 20 * fingerprint, { id, fingerprint, answering, join: undefined, next: undefined });
  const found = () => ids.filter((id, index) => find(id, 0)?.fingerprint === index);
  expect(found()).toEqual(ids);
  expect(find("c", 0)).toBeUndefined();
  remove(1, 0);
  expect(found()).toEqual(["a", "1", "b"]);
  remove("b", 0);
  remove("a", 0);
  expect(found()).toEqual(["1"]);
  remove("1", 0);
  expect(find("1", 0)).toBeUndefined();
});
