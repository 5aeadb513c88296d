/**
 * Adversaries of the settled score.
 * Accounts that rate, rate again, withdraw and flood a post, while a person decides on its windows, all at random
 * times. For the theorem of decision 33.
 */
import { seededRandom } from "../lib/random/seeded-random.ts";
import type { Score } from "../lib/ratings/score/score.ts";
import { TalliedPost } from "../lib/ratings/tally/tallied-post.ts";
import { scoringDefaults, withSettled } from "../lib/ratings/tally/tally.ts";
import { day, hour, type Instant, instantOf, minute, morning, second } from "./settled-post.ts";

const { settling } = scoringDefaults;

/** Posts to begin with: liked, disliked and divided, of different sizes and ages. */
export function beginnings(): TalliedPost[] {
  const spreads: Score[][] = [
    [5, 4, 5, 3, 5, 4, 2],
    [0, 1, 0],
    [5, 0],
  ];
  return [
    { ratings: 0, gapMs: hour },
    { ratings: 12, gapMs: 5 * second },
    { ratings: 30, gapMs: hour },
    { ratings: 200, gapMs: 2 * hour },
    { ratings: 700, gapMs: hour },
  ].flatMap(({ ratings, gapMs }) =>
    spreads.map((spread) => {
      const post = new TalliedPost();
      for (let index = 0; index < ratings; index += 1)
        post.rate(morning - (ratings - index) * gapMs, index, spread[index % spread.length] ?? 5);
      return post;
    }),
  );
}

/**
 * The states of a post under an adversary.
 * Every instant before and after a step, in stretches without a replay.
 */
export function attackedBy(seed: number, beginning: TalliedPost, steps: number): Instant[] {
  const random = seededRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const pick = <T>(choices: readonly [T, ...T[]]): T => choices[below(choices.length)] ?? choices[0];
  const post = beginning.copy();
  const instants: Instant[] = [];
  let [now, at, stretch, replays] = [morning, morning, 0, 0];
  const favourite = pick<Score>([0, 5]);
  const pace = pick([second, minute, hour, day]);

  /** Saves the score as it is now: an instant of the theorem. */
  const keep = () => {
    if (replays !== post.replays) [stretch, replays] = [stretch + 1, post.replays];
    post.tally = withSettled(post.tally, post.tally.settled, now, settling);
    const { settled, counts } = post.tally;
    const instant = instantOf(settled, counts, settling, stretch);
    if (instant) instants.push(instant);
    else stretch += 1;
  };
  const user = () => below(post.ratings.size + 1);
  const score = () => (random() < 0.7 ? favourite : pick<Score>([0, 1, 2, 3, 4, 5]));
  const rate = (who: number) =>
    post.rate(at, who, score(), random() < 0.3 ? { limitedGapMs: 10 * minute } : {});

  for (let step = 0; step < steps; step += 1) {
    now += below(random() < 0.1 ? 20 * pace : pace);
    post.advanceTo(now);
    keep();
    // A clock that runs backwards, of another node.
    at = random() < 0.05 ? now - below(pace) : now;
    const act = random();
    if (act < 0.55) rate(post.ratings.size + below(2));
    else if (act < 0.7) rate(user());
    else if (act < 0.85) post.withdraw(at, user());
    else post.decide(at, 1 + below(3), pick(["counted", "excluded"]));
    keep();
  }
  return instants;
}
