/** This project's way once more, through the database and the guard, as the app runs it. */
import { openSqlite, type SqliteDatabase } from "../../db/dialects/sqlite/index.ts";
import { createGuard } from "../../lib/limits/guard.ts";
import { limitsFrom } from "../../lib/limits/index.ts";
import { createPost } from "../../lib/posts/index.ts";
import { createRating, type RatingContext, updateRating, withdrawRating } from "../../lib/ratings/index.ts";
import { publicScore } from "../../lib/ratings/public-score.ts";
import { catchUp } from "../../lib/ratings/saved-tally.ts";
import { scoringFrom } from "../../lib/ratings/scoring.ts";
import { parseSettings } from "../../lib/settings/env.ts";
import { addUsers } from "../databases.ts";
import type { Answer } from "./public-score.ts";
import type { Traffic } from "./traffic.ts";
import weir from "./weir.ts";

/** Where the pure functions and the database disagree. */
export interface Disagreement {
  /** The largest difference between the two public scores, in stars, after any rating. */
  stars: number;
  /** How many ratings they gave different answers to. */
  answers: number;
}

/** Plays traffic in a new database at this address and through the pure functions, side by side. */
export async function playThroughDatabase(url: string, { ratings }: Traffic): Promise<Disagreement> {
  const database = openSqlite(url);
  try {
    database.sqlite.pragma("synchronous = OFF"); // no power failure to survive here
    const post = await publishedPost(database);
    const pure = weir.make();
    let [stars, answers] = [0, 0];
    for (const { at, score, userId, registeredAt } of ratings) {
      const user = post.userOf(userId, registeredAt ?? 0);
      if (score === null) {
        await withdrawRating(post.context, { slug: post.slug, userId: user.id, now: at });
        pure.withdraw?.(at, userId);
      } else {
        const request = { slug: post.slug, user, address: "192.0.2.1", input: { score }, now: at };
        if ((await answerTo(post.context, request)) !== pure.rate(at, score, userId, { registeredAt }))
          answers += 1;
      }
      stars = Math.max(stars, Math.abs(((await post.score(at)) ?? -1) - (pure.score(at) ?? -1)));
    }
    return { stars, answers };
  } finally {
    await database.close();
  }
}

async function answerTo(
  context: RatingContext,
  request: Parameters<typeof createRating>[1],
): Promise<Answer> {
  const created = await createRating(context, request);
  const { kind } = created.kind === "already-rated" ? await updateRating(context, request) : created;
  if (kind === "saved") return "counted";
  if (kind === "held") return "held";
  if (kind === "limited") return "refused";
  throw new Error(`A rating was answered "${kind}".`);
}

async function publishedPost(database: SqliteDatabase) {
  const settings = parseSettings({});
  const report = (error: unknown) => {
    throw error;
  };
  const context = {
    database,
    limits: limitsFrom(settings),
    // No time passes while a rating is decided.
    guard: createGuard({ database, clock: () => 0, report }),
    scoring: scoringFrom(settings),
  };
  addUsers(database.sqlite, 1);
  const author = { id: 1, username: "user-00000001", isAdministrator: false, isModerator: false };
  const input = { title: "A post", content: "Some words." };
  const outcome = await createPost(context, { user: author, address: "192.0.2.1", input, now: 0 });
  if (outcome.kind !== "created") throw new Error(`The post was not created: ${outcome.kind}`);
  const { slug } = outcome;
  const users = new Map<number, number>();
  const addUser = database.sqlite.prepare<[string, string, string, string, number]>(
    `insert into users (username, username_key, email, email_key, password_hash, created_at)
     values (?, ?, ?, ?, 'none', ?)`,
  );
  return {
    context,
    slug,
    /** Without a time of registration, 0, as an imported account has. */
    userOf(number: number, registeredAt: number) {
      const username = `rater-${number}`;
      const known = users.get(number);
      if (known !== undefined) return { id: known, username };
      const id = Number(addUser.run(username, username, username, username, registeredAt).lastInsertRowid);
      users.set(number, id);
      return { id, username };
    },
    async score(at: number): Promise<number | null> {
      await catchUp(database, at, context.scoring, report);
      const post = await database.posts.bySlug(slug);
      return post ? publicScore(post, at, context.scoring).settled : null;
    },
  };
}
