/** People, posts and ratings for the contract, made by the database's own methods. */
import { type Counts, countsFrom } from "../counts.ts";
import type { Database, NewUser, PostText, RatingToSave, SavedTally } from "../index.ts";

export type Open = () => Promise<Database>;

/** A moment in 2026: milliseconds since 1970 are beyond 32 bits. */
export const morning = Date.UTC(2026, 2, 1, 9);
export const dayMs = 86_400_000;

export function userNamed(name: string, also: Partial<NewUser> = {}): NewUser {
  return {
    username: name,
    usernameKey: name.toLowerCase(),
    email: `${name}@Example.org`,
    emailKey: `${name.toLowerCase()}@example.org`,
    passwordHash: "none",
    isAdministrator: false,
    createdAt: morning,
    ...also,
  };
}

export function addUser(database: Database, name: string, also: Partial<NewUser> = {}): Promise<number> {
  return database.users.insert(userNamed(name, also));
}

/** Users `user-1` and so on; resolves to their numbers. */
export async function addUsers(database: Database, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let number = 1; number <= count; number++) ids.push(await addUser(database, `user-${number}`));
  return ids;
}

export function addPost(
  database: Database,
  authorId: number,
  slug: string,
  { title = slug, content = "Words.", createdAt = morning } = {},
): Promise<number> {
  const searchTitle = title.toLowerCase();
  const searchContent = content.toLowerCase();
  return database.transaction(() =>
    database.posts.insert({
      slug,
      title,
      ...textOf(content),
      searchTitle,
      searchContent,
      authorId,
      createdAt,
    }),
  );
}

/** A text with a stand-in for its HTML. */
export function textOf(content: string, renderer = 1): PostText {
  return { content, html: `<p>${content}</p>`, renderer };
}

/** A post `post` of `author`'s. */
export async function postOfAuthor(database: Database): Promise<{ authorId: number; postId: number }> {
  const authorId = await addUser(database, "author");
  return { authorId, postId: await addPost(database, authorId, "post") };
}

export function rating(postId: number, userId: number, also: Partial<RatingToSave> = {}): RatingToSave {
  return { postId, userId, score: 4, window: null, now: morning, ...also };
}

/** A tally as it is before the first rating, except for the given fields. */
export function tallyWith(also: Partial<SavedTally> = {}): SavedTally {
  return {
    counts: [0, 0, 0, 0, 0, 0],
    settled: { score: null, velocity: 0, raters: 0, firstAt: 0, lastRaterAt: 0, at: 0 },
    windowCount: 0,
    detector: null,
    dueAt: null,
    ...also,
  };
}

/** Gives a post these counters, and the settled score to go with them. */
export async function setCounts(database: Database, postId: number, counts: Counts, score: number | null) {
  const settled = { ...tallyWith().settled, score };
  await database.transaction(() => database.tallies.save(postId, tallyWith({ counts, settled })));
}

/**
 * Rates as the app does.
 * The post's row is locked, and its counters move with the rating.
 */
export function rate(database: Database, userId: number, score: 1 | 5) {
  return database.transaction(async () => {
    const post = await database.posts.lock("post");
    if (!post) throw new Error("There is no post");
    const { tally } = post;
    await database.ratings.insert(rating(post.id, userId, { score }));
    const counts = countsFrom((star) => tally.counts[star] + Number(star === score));
    await database.tallies.save(post.id, { ...tally, counts });
  });
}

/** The counters as a scan of a post's ratings outside of windows finds them. */
export async function countsOfRatings({ ratings }: Database, postId: number): Promise<Counts> {
  const all = await ratings.inOrder(postId, null, { at: 0, userId: 0 }, 10_000);
  return countsFrom((score) => all.filter((each) => each.score === score).length);
}
