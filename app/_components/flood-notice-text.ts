/** The kinds of the sentences about floods that wait for a decision. */
import { translator } from "@/lib/i18n";
import type { ListedFlood } from "@/lib/ratings/decisions/undecided-floods";
import { endOf } from "@/lib/ratings/floods/flood-window";

/** The message for one flood: to a user who decides on it, or to its post's author. */
export function floodMessage({ mayDecide, window }: ListedFlood, now: number): "needed" | "ownOpen" | "own" {
  if (mayDecide) return "needed";
  return window.closedAt === null && endOf(window) > now ? "ownOpen" : "own";
}

/** Several floods in a sentence. */
export function floodsText(floods: readonly ListedFlood[], hasMore: boolean): string {
  const t = translator("flood");
  const count = floods.length;
  return floods.some(({ mayDecide }) => mayDecide)
    ? t(hasMore ? "undecidedFloods.neededMost" : "undecidedFloods.neededMany", { count })
    : t(hasMore ? "undecidedFloods.ownMost" : "undecidedFloods.ownMany", { count });
}
