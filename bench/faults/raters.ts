/** Processes that rate until they are killed (`testing/rating-child.ts`). */
import { join } from "node:path";
import type { Database } from "../../db/index.ts";
import { hourMs } from "../../lib/time/units.ts";
import { type Child, runChild } from "../../testing/child-process.ts";
import { addPost, addUser, addUsers, morning } from "../../testing/content.ts";
import type { SentRating } from "../../testing/integrity.ts";
import type { RaterOptions } from "../../testing/rating-child.ts";

const program = join(import.meta.dirname, "../../testing/rating-child.ts");
/** So far apart that no limit refuses a rating and none is taken for a flood's. */
const everyMs = 60_000;

export interface Raters {
  /** How many ratings a process has sent before the first answer. */
  inFlight: number;
  /** Starts a process that rates, by other times than those before it. */
  start(options?: Pick<RaterOptions, "perSecond">): Child;
}

/**
 * Adds posts and users for processes that rate.
 * `inFlight` is the number of concurrent ratings, of as many posts at most as there are.
 */
export async function prepareRaters(
  database: Database,
  url: string,
  { posts, inFlight }: { posts: number; inFlight: number },
): Promise<Raters> {
  const author = await addUser(database, "author");
  const slugs: string[] = [];
  for (let number = 1; number <= posts; number += 1)
    slugs.push(
      (await addPost(database, author, { title: `Post ${number}`, now: morning + number * hourMs })).slug,
    );
  const users = (await addUsers(database, 3 * inFlight)).map(({ id }) => id);
  let started = 0;
  return {
    inFlight,
    start(options = {}) {
      started += 1;
      const from = morning + started * 30 * 86_400_000;
      const all: RaterOptions = { ...options, inFlight, from, everyMs };
      return runChild(program, [url, String(started), slugs.join(), users.join(), JSON.stringify(all)]);
    },
  };
}

export interface Reported {
  sent: SentRating[];
  acknowledged: SentRating[];
  /** Sent after the last acknowledgement of the same user. */
  unanswered: SentRating[];
  /** Neither acknowledged nor unanswered. */
  refused: number;
}

/** The ratings that the lines of one process report. */
export function reportedBy(lines: readonly string[]): Reported {
  const sent: SentRating[] = [];
  const acknowledged: SentRating[] = [];
  // A user has one rating in flight at a time.
  const underWay = new Map<number, SentRating>();
  let refused = 0;
  for (const line of lines) {
    const [word = "", slug = "", userId, score] = line.split(" ");
    const rating = { slug, userId: Number(userId), score: Number(score) };
    if (word === "sent") {
      sent.push(rating);
      underWay.set(rating.userId, rating);
    } else underWay.delete(rating.userId);
    if (word === "saved") acknowledged.push(rating);
    if (word === "refused") refused += 1;
  }
  return { sent, acknowledged, unanswered: [...underWay.values()], refused };
}
