/** The server is killed, again and again, while it is being rated on; what it said was saved must be there. */

import { openSqlite } from "../db/dialects/sqlite/index.ts";
import type { Database } from "../db/index.ts";
import { comparisonKey } from "../lib/users/schema.ts";
import { integrityFaults } from "../testing/integrity.ts";
import { gather, type Member } from "./crowd.ts";
import { newName, ratingPath } from "./people.ts";
import { expect, test } from "./test.ts";

const kills = 3;

/** What one person was told of one post, and what was under way when the server died. */
interface Told {
  member: Member;
  slug: string;
  acknowledged: number | undefined;
  /** Sent and not answered. */
  unanswered: number | undefined;
}

test("kill -9 in the middle of concurrent ratings loses no rating that was acknowledged", async ({
  startServer,
}) => {
  const server = await startServer({ LEAKY_BUCKET_CAPACITY: "200", LEAKY_BUCKET_LEAK_PER_SECOND: "100" });
  const members = await gather(server, 12);
  const slugs = await Promise.all(members.slice(0, 2).map(publishPost));
  const told = members.flatMap((member) =>
    slugs.map((slug): Told => ({ member, slug, acknowledged: undefined, unanswered: undefined })),
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
    const rating = Promise.all(told.map((each) => rateUntilDead(each, onAnswer)));
    await enough.promise;
    await server.kill();
    await rating;
    const database = openSqlite(server.databaseUrl);
    try {
      expect(await integrityFaults(database), `after kill ${kill + 1}`).toEqual([]);
      expect(
        (await Promise.all(told.map((each) => faultsOf(each, database)))).flat(),
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

/** Rates the post over and over until no answer comes any more. */
async function rateUntilDead(told: Told, onAnswer: (status: number) => void): Promise<void> {
  const { member, slug } = told;
  for (;;) {
    const score = Math.floor(Math.random() * 6);
    told.unanswered = score;
    let status: number;
    try {
      const method = told.acknowledged === undefined ? "POST" : "PUT";
      const answer = await member.send(method, ratingPath(slug), { score });
      await answer.arrayBuffer();
      status = answer.status;
    } catch {
      return;
    }
    told.unanswered = undefined;
    if (status < 300) told.acknowledged = score;
    onAnswer(status);
  }
}

/**
 * A rating that differs both from the last that was acknowledged and from the one under way, which may have been
 * saved although the answer never left. What is there now is what holds from here on.
 */
async function faultsOf(told: Told, database: Database): Promise<string[]> {
  const { member, slug, acknowledged, unanswered } = told;
  const userId = (await database.users.byUsernameKey(comparisonKey(member.username)))?.id ?? 0;
  const saved = (await database.ratings.find((await database.posts.idOf(slug))?.id ?? 0, userId))?.score;
  told.acknowledged = saved;
  told.unanswered = undefined;
  const isRight = saved === acknowledged || (unanswered !== undefined && saved === unanswered);
  return isRight
    ? []
    : [
        `${member.username} was told ${acknowledged} of ${slug}, and ${saved} is saved (${unanswered} was sent)`,
      ];
}

async function publishPost(member: Member): Promise<string> {
  const answer = await member.send("POST", "/api/posts", { title: newName("Killed"), content: "Words." });
  const { slug }: { slug: string } = await answer.json();
  return slug;
}
