import { expect, test } from "vitest";
import { addPost, addUser, addUsers, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import type { User } from "../users/index.ts";
import { createRating, type RatingOutcome, updateRating, withdrawRating } from "./index.ts";

/** A post, `busy` accounts that have rated it, and `honest` ones that have not. */
async function blog({
  busy,
  honest,
  limits = limitsWith(),
}: {
  busy: number;
  honest: number;
  limits?: ReturnType<typeof limitsWith>;
}) {
  const context = contextOf(temporaryDatabase(), limits);
  const { slug } = await addPost(context.database, await addUser(context.database, "author"));
  const users = await addUsers(context.database, busy + honest);
  const request = (user: User, now: number, score = 0) => ({
    slug,
    user,
    address: "192.0.2.1",
    input: { score },
    now,
  });
  const accounts = users.slice(0, busy);
  const people = users.slice(busy);
  // One a second, so that no limit refuses them.
  for (const [index, user] of accounts.entries())
    await createRating(context, request(user, morning - (busy - index) * 1_000));
  return { context, slug, accounts, people, request };
}

type Blog = Awaited<ReturnType<typeof blog>>;
/** One try of a busy account. */
type Act = (blog: Blog, user: User, now: number, turn: number) => Promise<unknown>;

const change: Act = ({ context, request }, user, now, turn) =>
  updateRating(context, request(user, now, turn % 6));

const withdrawAndRate: Act = async ({ context, request, slug }, user, now, turn) => {
  await withdrawRating(context, { slug, userId: user.id, now });
  return createRating(context, request(user, now, turn % 6));
};
const rateAgain: Act = ({ context, request }, user, now) => createRating(context, request(user, now));
const rateBadly: Act = ({ context, request }, user, now) => updateRating(context, request(user, now, 6));

/** The scores that people give, in turn. */
const usualScores = [5, 4, 5, 5, 3, 5, 4, 5, 2, 5, 0, 4, 5, 5, 4, 5, 1, 5, 4, 3];

/**
 * The number of people not accepted and counted at the first try.
 * One person rates for the first time every `personEveryMs`, while each account acts every `everyMs`, spread evenly and
 * without end.
 */
async function attack(
  site: Blog,
  acts: readonly Act[],
  { everyMs, personEveryMs }: { everyMs: number; personEveryMs: number },
) {
  const outcomes: RatingOutcome[] = [];
  const gapMs = everyMs / site.accounts.length;
  let next = 0;
  for (const [index, person] of site.people.entries()) {
    const now = morning + (index + 1) * personEveryMs;
    for (; morning + next * gapMs <= now; next += 1) {
      const turn = Math.floor(next / site.accounts.length);
      const user = site.accounts[next % site.accounts.length];
      const act = acts[(next + turn) % acts.length];
      if (user && act) await act(site, user, morning + Math.floor(next * gapMs), turn);
    }
    const score = usualScores[index % usualScores.length];
    outcomes.push(await createRating(site.context, site.request(person, now, score)));
  }
  return outcomes.filter(({ kind }) => kind !== "saved").length;
}

test("24 accounts that change their ratings ten times a second keep no first rating out", async () => {
  const site = await blog({ busy: 24, honest: 36 });
  expect(await attack(site, [change], { everyMs: 100, personEveryMs: 500 })).toBe(0);
});

test("of 200 accounts that act without pause, none keeps a first rating out", async () => {
  const limits = limitsWith({ LIMITS: JSON.stringify({ "rating.address": { mode: "enforce" } }) });
  const site = await blog({ busy: 200, honest: 100, limits });
  const acts = [change, withdrawAndRate, rateAgain, rateBadly];
  // All from one address, which is limited too.
  expect(await attack(site, acts, { everyMs: 1_000, personEveryMs: 250 })).toBe(0);
  const { database } = site.context;
  const [post] = [await database.posts.idOf(site.slug)];
  const rows = await database.attempts.latest(post?.id ?? 0, 10_000);
  // A first rating of each, and of the busy at most two ways to change, accepted and refused, in each minute.
  expect(rows.length).toBeLessThan(300 + 200 * 4 * 2);
});

test("200 accounts that rate at once and go on without pause keep out at most one first rating in a hundred", async () => {
  const site = await blog({ busy: 200, honest: 300 });
  const other = await addPost(site.context.database, await addUser(site.context.database, "other"));
  const elsewhere = {
    ...site,
    slug: other.slug,
    request: (...given: Parameters<Blog["request"]>) => ({ ...site.request(...given), slug: other.slug }),
  };
  const acts = [change, withdrawAndRate, rateBadly];
  const rated = new Set<User>();
  const rateThenAct: Act = async (blog, user, now, turn) => {
    // Users that have rated do less here: the test before shows that nothing they do takes room from a first rating.
    if (rated.has(user))
      return turn % 6 === 0 ? acts[(turn / 6) % acts.length]?.(blog, user, now, turn) : undefined;
    const { kind } = await createRating(blog.context, blog.request(user, now));
    if (kind === "saved" || kind === "held") rated.add(user);
  };
  const keptOut = await attack(elsewhere, [rateThenAct], { everyMs: 1_000, personEveryMs: 400 });
  expect(keptOut).toBeLessThanOrEqual(3);
});
