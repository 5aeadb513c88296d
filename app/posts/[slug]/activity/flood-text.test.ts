import { expect, test } from "vitest";
import { previewText } from "@/app/_components/preview-text";
import { suggestionFor } from "@/lib/ratings/decisions/flood-summary";
import { openWindow } from "@/lib/ratings/floods/flood-window";
import { type Counts, sumOf } from "@/lib/ratings/score/score";
import { minuteMs } from "@/lib/time/units";
import { floodTitle, suggestionText, withdrawnText } from "./flood-text";

const past: Counts = [0, 1, 2, 20, 50, 78];

function flood({ counts = [39, 0, 0, 0, 0, 0] as Counts, withdrawn = 0 } = {}) {
  const window = { ...openWindow(1, 0, minuteMs, []), lastAt: 4 * minuteMs, counts };
  return { ...window, withdrawn, arrived: sumOf(counts).count + withdrawn };
}

test("a card's title counts the ratings that arrived, and another sentence the withdrawn ones", () => {
  expect(floodTitle(flood({ withdrawn: 1 }))).toBe("Flood 1: 40 ratings in 4 minutes");
  expect(withdrawnText(flood())).toBeUndefined();
  expect(withdrawnText(flood({ withdrawn: 1 }))).toBe("One more came and was withdrawn.");
  expect(withdrawnText(flood({ withdrawn: 2 }))).toBe("2 more came and were withdrawn.");
  expect(withdrawnText(flood({ counts: [0, 0, 0, 0, 0, 0], withdrawn: 3 }))).toBe(
    "All of them have been withdrawn since.",
  );
});

test("suggests a decision with its reason", () => {
  const textOf = (window: ReturnType<typeof flood>) =>
    suggestionText(suggestionFor(window, past), window, past);
  expect(textOf(flood())).toBe(
    "Suggestion: leave them out. 100% of them are zeros, far more than among the others.",
  );
  expect(textOf(flood({ counts: [0, 1, 2, 18, 52, 77] }))).toBe(
    "Suggestion: count them. Their stars are mixed like those of the post’s other ratings.",
  );
  expect(textOf(flood({ counts: [4, 0, 0, 0, 0, 0] }))).toBe(
    "No suggestion: there is no clear sign either way.",
  );
});

test("previews the score by a decision", () => {
  const now = 0;
  expect(previewText({ score: null, average: null, arrivesAt: null }, now)).toBe(
    "The post would have no score.",
  );
  expect(previewText({ score: null, average: 2.41, arrivesAt: null }, now)).toBe(
    "The score would move to 2.4.",
  );
  expect(previewText({ score: 4, average: 4.04, arrivesAt: minuteMs }, now)).toBe(
    "The score would stay at 4.0.",
  );
  expect(previewText({ score: 4, average: 2.41, arrivesAt: 10 * minuteMs }, now)).toBe(
    "The score would stay at 4.0 for now, and move slowly to 2.4 over about 10 minutes.",
  );
});
