import { expect, test } from "vitest";
import type { ListedFlood } from "@/lib/ratings/decisions/undecided-floods";
import { openWindow } from "@/lib/ratings/floods/flood-window";
import { hourMs } from "@/lib/time/units";
import { floodMessage, floodsText } from "./flood-notice-text";

const now = 1_000_000;

function flood({ mayDecide = false, isOver = false } = {}): ListedFlood {
  const window = { ...openWindow(1, now, hourMs, []), closedAt: isOver ? now : null };
  const post = { slug: "qanat", lang: "en", title: "Qanat", author: "alder", authorId: 1 };
  return { ...post, mayDecide, window: { ...window, withdrawn: 0, arrived: 40 } };
}

test("reports to an author that a flood comes or came, and to users who decide that it needs them", () => {
  expect(floodMessage(flood(), now)).toBe("ownOpen");
  expect(floodMessage(flood({ isOver: true }), now)).toBe("own");
  expect(floodMessage(flood({ mayDecide: true }), now)).toBe("needed");
});

test("counts several floods, and those to decide on before the user's own", () => {
  const own = [flood(), flood()];
  expect(floodsText(own, false)).toBe("2 floods of ratings came to your posts.");
  expect(floodsText(own, true)).toBe("More than 2 floods of ratings came to your posts.");
  const mixed = [flood(), flood({ mayDecide: true })];
  expect(floodsText(mixed, false)).toBe("2 floods of ratings to look at.");
  expect(floodsText(mixed, true)).toBe("More than 2 floods of ratings to look at.");
});
