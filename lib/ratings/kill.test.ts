import { join } from "node:path";
import { expect, test } from "vitest";
import { runChild } from "../../testing/child-process.ts";
import { addPost, addUser, addUsers } from "../../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl } from "../../testing/database.ts";
import { integrityFaults, lostRatings, type SentRating } from "../../testing/integrity.ts";
import { seededRandom } from "../lab/seeded-random.ts";

const rounds = 3;
const ratingChild = join(import.meta.dirname, "../../testing/rating-child.ts");

test("loses no acknowledged rating and keeps counters exact when processes are killed while rating", async () => {
  const url = temporaryDatabaseUrl();
  const database = temporaryDatabase(url);
  const author = await addUser(database, "author");
  const posts = ["One", "Two", "Three"].map((title) => addPost(database, author, { title }));
  const slugs = (await Promise.all(posts)).map(({ slug }) => slug);
  const users = (await addUsers(database, 20)).map(({ id }) => id);
  const random = seededRandom(1);
  let acknowledged: SentRating[] = [];

  for (let round = 0; round < rounds; round += 1) {
    // Two at once, each with users of its own, so that each one's last word on a rating is known.
    const children = [users.slice(0, 10), users.slice(10)].map((own, index) =>
      runChild(ratingChild, [url, String(2 * round + index), slugs.join(), own.join()]),
    );
    // Both are at it, and one of them has come some way; which one is up to who gets the write lock.
    await Promise.all(children.map((child) => child.printed(1)));
    await Promise.race(children.map((child) => child.printed(10 + Math.floor(random() * 100))));
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(children.map((child) => child.ended));

    const printed = children.map((child) => child.lines.map(parseLine));
    const saved = printed.flat().filter(({ word }) => word === "saved");
    // What a child sent last it may have been killed in the middle of, or just before it could say so.
    const unanswered = printed.flatMap((lines) => lines.slice(-1)).filter(({ word }) => word === "sent");
    acknowledged = [...acknowledged, ...saved];
    expect(await lostRatings(database, acknowledged, unanswered)).toEqual([]);
    expect(await integrityFaults(database)).toEqual([]);
    // An unanswered one that was saved after all is from now on what the database must keep.
    for (const sent of unanswered) acknowledged.push(...(await asSaved(database, sent)));
  }
  expect(acknowledged.length).toBeGreaterThan(10 * rounds);
});

function parseLine(line: string): SentRating & { word: string } {
  const [word = "", slug = "", userId, score] = line.split(" ");
  return { word, slug, userId: Number(userId), score: Number(score) };
}

async function asSaved(
  database: ReturnType<typeof temporaryDatabase>,
  sent: SentRating,
): Promise<SentRating[]> {
  const post = await database.posts.idOf(sent.slug);
  const rating = post && (await database.ratings.find(post.id, sent.userId));
  return rating ? [{ ...sent, score: rating.score }] : [];
}
