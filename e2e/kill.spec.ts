/**
 * The server is killed, again and again, while it is being rated on.
 * What it said was saved must be there.
 */

import { openSqlite } from "../db/dialects/sqlite/index.ts";
import type { Database } from "../db/index.ts";
import { comparisonKey } from "../lib/users/schema.ts";
import { integrityFaults } from "../testing/integrity.ts";
import { gather, type Member } from "./crowd.ts";
import { newName, ratingPath } from "./people.ts";
import { expect, test } from "./test.ts";

const kills = 3;

/** One person's last acknowledged rating of one post, and the one without an answer at the crash. */
interface RatingRecord {
  member: Member;
  slug: string;
  acknowledged: number | undefined;
  /** Sent and not answered. */
  unanswered: number | undefined;
}

test("kill -9 in the middle of concurrent ratings loses no rating that was acknowledged", async ({
  startServer,
}) => {
  const server = await startServer({
    LEAKY_BUCKET_CAPACITY: "200",
    LEAKY_BUCKET_LEAK_PER_SECOND: "100",
    LIMITS: '{"rating.change": {"capacity": 200}}',
  });
  const members = await gather(server, 12);
  const slugs = await Promise.all(members.slice(0, 2).map(publishPost));
  const records = members.flatMap((member) =>
    slugs.map((slug): RatingRecord => ({ member, slug, acknowledged: undefined, unanswered: undefined })),
  );
  const answers = new Map<number, number>();
  for (let kill = 0; kill < kills; kill += 1) {
    const enough = Promise.withResolvers<void>();
    let missing = 10 + Math.floor(Math.random() * 90);
    const onAnswer = (status: number) => {
      answers.set(status, (answers.get(status) ?? 0) + 1);
      missing -= 1;
      if (missing === 0) enough.resolve();
    };
    const rating = Promise.all(records.map((each) => rateUntilDead(each, onAnswer)));
    await enough.promise;
    await server.kill();
    await rating;
    const database = openSqlite(server.databaseUrl);
    try {
      expect(await integrityFaults(database), `after kill ${kill + 1}`).toEqual([]);
      expect(
        (await Promise.all(records.map((each) => faultsOf(each, database)))).flat(),
        `after kill ${kill + 1}`,
      ).toEqual([]);
    } finally {
      await database.close();
    }
    await server.start();
  }
  expect([...answers.keys()].filter((status) => ![200, 201, 429].includes(status))).toEqual([]);
  expect((answers.get(201) ?? 0) + (answers.get(200) ?? 0)).toBeGreaterThan(kills);
});

/** Rates the post again and again until the server no longer answers. */
async function rateUntilDead(record: RatingRecord, onAnswer: (status: number) => void): Promise<void> {
  const { member, slug } = record;
  for (;;) {
    const score = Math.floor(Math.random() * 6);
    record.unanswered = score;
    let status: number;
    try {
      const method = record.acknowledged === undefined ? "POST" : "PUT";
      const answer = await member.send(method, ratingPath(slug), { score });
      await answer.arrayBuffer();
      status = answer.status;
    } catch {
      return;
    }
    record.unanswered = undefined;
    if (status < 300) record.acknowledged = score;
    onAnswer(status);
  }
}

/**
 * A rating that differs both from the last that was acknowledged and from the one under way, which may have been
 * saved although the answer never left. What is there now is what holds from here on.
 */
async function faultsOf(record: RatingRecord, database: Database): Promise<string[]> {
  const { member, slug, acknowledged, unanswered } = record;
  const userId = (await database.users.byUsernameKey(comparisonKey(member.username)))?.id ?? 0;
  const saved = (await database.ratings.find((await database.posts.idOf(slug))?.id ?? 0, userId))?.score;
  record.acknowledged = saved;
  record.unanswered = undefined;
  const isRight = saved === acknowledged || (unanswered !== undefined && saved === unanswered);
  return isRight
    ? []
    : [
        `${member.username} got ${acknowledged} acknowledged for ${slug}, and ${saved} is saved (${unanswered} was sent)`,
      ];
}

async function publishPost(member: Member): Promise<string> {
  const answer = await member.send("POST", "/api/posts", { title: newName("Killed"), content: "Words." });
  const { slug }: { slug: string } = await answer.json();
  return slug;
}
