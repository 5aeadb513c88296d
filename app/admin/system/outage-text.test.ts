import { expect, test } from "vitest";
import { limitsFrom } from "@/lib/limits";
import { parseSettings } from "@/lib/settings/env";
import { outageTexts } from "./outage-text";

const textsOf = (limits: object) =>
  outageTexts(Object.values(limitsFrom(parseSettings({ LIMITS: JSON.stringify(limits) }))).flat());

test("where all limits do the same, one sentence describes them", () => {
  expect(textsOf({})).toEqual([
    "Every limit: each node counts by itself, up to 50% of what the limit allows.",
  ]);
});

test("limits that do otherwise are named, and those in shadow are not", () => {
  const limits = {
    "rating.post": { outage: "closed" },
    "rating.user": { outage: "open" },
    "rating.post.ema": { mode: "shadow", algorithm: "ema", outage: "open" },
    "login.account": { localShare: 0.125 },
  };
  expect(textsOf(limits)).toEqual([
    "Ratings per post: everything is refused.",
    "Ratings per person: everything is let through.",
    expect.stringMatching(
      /^Changed ratings per person, New posts per person, .* and Requests per API token: each node counts by itself, up to 50% of what the limit allows\.$/,
    ),
    "Password guesses per account and network (/24, /48): each node counts by itself, up to 12.5% of what the limit allows.",
  ]);
});
