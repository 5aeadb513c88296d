import { expect, test } from "vitest";
import { limitsFrom } from "@/lib/limits";
import { parseSettings } from "@/lib/settings/env";
import { outageTexts } from "./outage-words";

const textsOf = (limits: object) =>
  outageTexts(Object.values(limitsFrom(parseSettings({ LIMITS: JSON.stringify(limits) }))).flat());

test("Where all limits do the same, one sentence describes them", () => {
  expect(textsOf({})).toEqual([
    "Every limit: each node counts by itself, up to 50% of what the limit allows.",
  ]);
});

test("Limits that do otherwise are named, and those in shadow are not", () => {
  const limits = {
    "rating.post": { outage: "closed" },
    "rating.user": { outage: "open" },
    "rating.post.ema": { mode: "shadow", algorithm: "ema", outage: "open" },
    "login.account": { localShare: 0.125 },
  };
  expect(textsOf(limits)).toEqual([
    "rating.post: everything is refused.",
    "rating.user: everything is let through.",
    "rating.change, post.user, post.render, review.user, register.address, register.network, register.wide-network, register.site, register.known-networks, login.address, login.delay, login.known-browser, login.second-factor, password.user, lab.address, api.token: each node counts by itself, up to 50% of what the limit allows.",
    "login.account: each node counts by itself, up to 12.5% of what the limit allows.",
  ]);
});
