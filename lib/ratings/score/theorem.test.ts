import { expect, test } from "vitest";
import { attackedBy, beginnings } from "../../../testing/adversary.ts";
import { worst } from "../../../testing/settled-post.ts";

/** `npm run bench:campaign` plays more of them. */
const adversaries = 5_000;

test("the bound holds for adversaries that rate, change, withdraw, flood and decide at random", () => {
  const posts = beginnings();
  let checks = 0;
  for (let seed = 1; seed <= adversaries; seed += 1) {
    const post = posts[seed % posts.length];
    if (!post) throw new Error("There is no post to begin with.");
    const found = worst(attackedBy(seed, post, 12));
    expect(found.excess, `adversary ${seed}`).toBeLessThan(1e-9);
    expect(found.ratio, `adversary ${seed}`).toBeLessThan(1);
    checks += found.checks;
  }
  expect(checks).toBeGreaterThan(500_000);
});
