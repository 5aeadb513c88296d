/** Random adversaries against the theorem of decision 33, more than in the tests. */
import { attackedBy, beginnings } from "../../testing/adversary.ts";
import { worst } from "../../testing/settled-post.ts";

const adversaries = 30_000;
const steps = 16;

/** A line: adversaries, the largest share of the bound, and whether it held. */
export function playAdversaries(): { line: string; isMet: boolean } {
  const posts = beginnings();
  let [excess, ratio, checks] = [0, 0, 0];
  for (let seed = 1; seed <= adversaries; seed += 1) {
    const post = posts[seed % posts.length];
    if (!post) continue;
    const found = worst(attackedBy(seed, post, steps));
    excess = Math.max(excess, found.excess);
    ratio = Math.max(ratio, found.ratio);
    checks += found.checks;
  }
  const isMet = excess < 1e-9 && ratio < 1;
  const line = `The bound on the score's movement: ${adversaries} random adversaries, ${checks} checks, largest ratio ${ratio.toFixed(3)}   ${isMet ? "ok" : "MISSED"}`;
  return { line, isMet };
}
