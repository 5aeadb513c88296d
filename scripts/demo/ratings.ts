/** The demo's ratings: the readers' actions on each post, floods included. */
import { createRating, type RatingContext, updateRating, withdrawRating } from "../../lib/ratings/index.ts";
import { hourMs } from "../../lib/time/units.ts";
import type { User } from "../../lib/users/index.ts";
import { demoLogin, loneZero, type PlannedPost } from "./plan.ts";

const floodSize = 130;

export type DemoReader = Pick<User, "id" | "username">;

interface Try {
  at: number;
  user: DemoReader;
  act: "create" | "update" | "withdraw";
  score: number;
}

/** The readers' actions on a post, in the order of time. */
export function triesOf(
  { file, share, spread, floodHoursAgo, holds = false }: PlannedPost,
  all: readonly DemoReader[],
  { createdAt, now, random }: { createdAt: number; now: number; random: () => number },
): Try[] {
  // The reader of `demoLogin` is in each held flood, so that the demo has the pages of a concerned rater.
  const readers = holds
    ? all.toSorted(
        (a, b) => Number(a.username === demoLogin.reader) - Number(b.username === demoLogin.reader),
      )
    : all;
  const raters = readers.slice(0, file === loneZero ? 1 : Math.round(share * readers.length));
  // Most come in the first days; the last ones a quarter of an hour ago.
  const span = now - createdAt - hourMs / 4;
  const tries = raters.flatMap((user): Try[] => {
    const at = createdAt + Math.round(span * random() ** 2);
    const first: Try = { at, user, act: "create", score: scoreBy(spread, random()) };
    const later = at + Math.round((now - at) * random());
    const change = random();
    if (change < 0.05)
      return [first, { ...first, at: later, act: "update", score: scoreBy(spread, random()) }];
    if (change < 0.06) return [first, { ...first, at: later, act: "withdraw" }];
    return [first];
  });
  if (floodHoursAgo !== undefined)
    for (const user of readers.slice(-floodSize)) {
      const at = now - floodHoursAgo * hourMs + Math.round(2_000 * random());
      // A refused rater tries again a second later; any other rater has rated already.
      tries.push({ at, user, act: "create", score: 0 }, { at: at + 1_000, user, act: "create", score: 0 });
    }
  return tries.toSorted((a, b) => a.at - b.at);
}

/** Sends a reader's action at its time. */
export async function execute(
  context: RatingContext,
  slug: string,
  { at, user, act, score }: Try,
): Promise<void> {
  const request = { slug, user, address: `192.0.2.${user.id % 256}`, input: { score }, now: at };
  if (act === "withdraw") await withdrawRating(context, { slug, userId: user.id, now: at });
  else if (act === "update") await updateRating(context, request);
  else await createRating(context, request);
}

/** The score at `place`, 0 up to 1, when each has its share of the line between. */
function scoreBy(spread: readonly number[], place: number): number {
  let left = place * spread.reduce((sum, share) => sum + share, 0);
  return spread.findIndex((share) => {
    left -= share;
    return left < 0;
  });
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
