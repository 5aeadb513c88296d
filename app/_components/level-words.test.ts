import { expect, test } from "vitest";
import { type AlgorithmName, algorithmFrom, algorithmNames } from "@/lib/algorithms";
import { ratingAlgorithm } from "@/lib/rating-algorithm";
import { parseSettings } from "@/lib/settings/env";
import { levelWords } from "./level-words";

/** An algorithm's reason for a first request, with default settings. */
function firstReason(name: AlgorithmName) {
  return algorithmFrom(ratingAlgorithm(parseSettings({}), name)).step(undefined, 0, 1).decision.reason;
}

test("Of tokens too few are refused, of all else too much", () => {
  expect(levelWords(firstReason("token-bucket"))).toEqual({
    name: "Tokens",
    threshold: 1,
    meaning: "too few below 1",
    top: 20,
    nearest: "lowest",
  });
  for (const name of algorithmNames.filter((each) => each !== "token-bucket"))
    expect(levelWords(firstReason(name))).toMatchObject({ nearest: "highest" });
});

test("Where nothing is measured there are no words", () => {
  const nothingFits = algorithmFrom({ algorithm: "leaky-bucket", capacity: 0.5, leakPerSecond: 1 });
  expect(levelWords(nothingFits.step(undefined, 0, 1).decision.reason)).toBeNull();
  expect(levelWords(null)).toBeNull();
});
