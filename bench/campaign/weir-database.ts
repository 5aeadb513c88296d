/** This project's scoring through the database and the guard, as the app runs it. */
import { openSqlite, type SqliteDatabase } from "../../db/dialects/sqlite/index.ts";
import { createGuard } from "../../lib/limits/guard.ts";
import { limitsFrom } from "../../lib/limits/index.ts";
import { createRenderer } from "../../lib/markdown/index.ts";
import { createPost } from "../../lib/posts/index.ts";
import { decideWindow } from "../../lib/ratings/decisions/flood-window-decisions.ts";
import type { DecidedStatus } from "../../lib/ratings/floods/flood-window.ts";
import { createRating, type RatingContext, updateRating, withdrawRating } from "../../lib/ratings/index.ts";
import { publicScore } from "../../lib/ratings/tally/public-score.ts";
import { catchUp } from "../../lib/ratings/tally/saved-tally.ts";
import { scoringFrom } from "../../lib/ratings/tally/scoring-settings.ts";
import { parseSettings } from "../../lib/settings/env.ts";
import { addUsers } from "../databases.ts";
import { Ledger } from "./ledger.ts";
import { isGiven } from "./play.ts";
import type { RatingAnswer } from "./public-score.ts";
import type { ModeratorDecision, Traffic } from "./traffic.ts";
import weir from "./weir.ts";

/** Where the pure functions and the database disagree. */
export interface Disagreement {
  /** The largest difference between the two public scores after a rating, in stars. */
  stars: number;
  /** How many ratings they gave different answers to. */
  answers: number;
}

/**
 * Plays traffic in a new database and through the pure functions.
 * Side by side; the database is at this address.
 */
export async function playThroughDatabase(
  url: string,
  { ratings, decisions = [] }: Traffic,
): Promise<Disagreement> {
  const database = openSqlite(url);
  try {
    database.sqlite.pragma("synchronous = OFF"); // no power failure to survive here
    const post = await publishedPost(database);
    const pure = weir.make();
    const all = new Ledger();
    const undecided = [...decisions];
    let [stars, answers] = [0, 0];
    for (const rating of ratings) {
      const { at, score, userId, registeredAt } = rating;
      for (const { window, status } of dueBy(undecided, at)) {
        await post.decide(at, window, status);
        pure.decide?.(at, window, status);
      }
      if (!isGiven(rating, pure, all)) continue;
      all.put(userId, score);
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

/** Takes the decisions that are due by a time from the front of the list. */
function dueBy(decisions: ModeratorDecision[], at: number): ModeratorDecision[] {
  return decisions.splice(0, decisions.filter((decision) => decision.at <= at).length);
}

async function answerTo(
  context: RatingContext,
  request: Parameters<typeof createRating>[1],
): Promise<RatingAnswer> {
  const created = await createRating(context, request);
  const { kind } = created.kind === "already-rated" ? await updateRating(context, request) : created;
  if (kind === "saved") return "counted";
  if (kind === "held") return "held";
  if (kind === "limited") return "refused";
  throw new Error(`A rating was answered "${kind}".`);
}

const renderer = createRenderer();

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
    renderer,
    whoMayWrite: "anyone" as const,
    scoring: scoringFrom(settings),
  };
  addUsers(database.sqlite, 1);
  const author = { id: 1, username: "user-00000001", isAdministrator: false, isModerator: false };
  const input = { title: "A post", content: "Some words." };
  const outcome = await createPost(context, { user: author, address: "192.0.2.1", input, now: 0 });
  if (outcome.kind !== "created") throw new Error(`The post was not created: ${outcome.kind}`);
  const { slug } = outcome;
  const users = new Map<number, number>();
  // Ratings at one instant are replayed in the order of their users: the database numbers these as the traffic does.
  const addUser = database.sqlite.prepare<[number, string, string, string, string, number]>(
    `insert into users (id, username, username_key, email, email_key, password_hash, created_at)
     values (?, ?, ?, ?, ?, 'none', ?)`,
  );
  const keeper = { id: 1_000_000, username: "keeper", isAdministrator: true, isModerator: false };
  addUser.run(keeper.id, "keeper", "keeper", "keeper", "keeper", 0);
  database.sqlite.exec(`update users set is_administrator = true where id = ${keeper.id}`);
  return {
    context,
    slug,
    /** Without a time of registration, 0, as an imported account has. */
    userOf(number: number, registeredAt: number) {
      const username = `rater-${number}`;
      const known = users.get(number);
      if (known !== undefined) return { id: known, username };
      const id = author.id + number;
      addUser.run(id, username, username, username, username, registeredAt);
      users.set(number, id);
      return { id, username };
    },
    /** An administrator decides on a window; nothing happens when there is none. */
    async decide(now: number, number: number, status: DecidedStatus) {
      const post = await database.posts.idOf(slug);
      const windows = post ? await database.floodWindows.all(post.id) : [];
      const window = windows.find((each) => each.number === number);
      const input = { status, why: "A campaign's plan.", after: window?.decisions ?? 0 };
      const { kind } = await decideWindow(context, { slug, number, user: keeper, input, now });
      if (kind !== (window ? "decided" : "no-such-window")) throw new Error(`A decision was ${kind}.`);
    },
    async score(at: number): Promise<number | null> {
      await catchUp(database, at, context.scoring, report);
      const post = await database.posts.bySlug(slug);
      return post ? publicScore(post, at, context.scoring).settled : null;
    },
  };
}
