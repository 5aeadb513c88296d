import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../db/dialects/postgres/index.ts";
import { addUsers, contextOf, morning } from "../../testing/content.ts";
import { patientTimeouts, sharedPostgres } from "../../testing/postgres-server.ts";
import { createPost } from "./index.ts";

const nodeCount = 4;
const postCount = 24;
/** More than the times that a conflicting transaction runs. */
const rounds = 8;

test("two dozen posts of one title that four nodes publish in step all get a slug", async () => {
  const url = await (await sharedPostgres()).newMigratedDatabase();
  const options = { timeouts: patientTimeouts, poolSize: postCount / nodeCount };
  const nodes = await Promise.all(Array.from({ length: nodeCount }, () => openPostgres(url, options)));
  const administrator = postgres(url, { max: 1 });
  onTestFinished(async () => {
    await Promise.all([...nodes.map((node) => node.close()), administrator.end()]);
  });
  const [first] = nodes;
  if (!first) throw new Error("There are four nodes.");
  const users = await addUsers(first, postCount);
  const contexts = nodes.map((node) => contextOf(node));

  let left = postCount;
  const publish = async (index: number) => {
    const [context, user] = [contexts[index % nodeCount], users[index]];
    if (!context || !user) throw new Error("There are a context and a user for each post.");
    const input = { title: "One title", content: "Words." };
    try {
      return await createPost(context, { user, address: "192.0.2.1", input, now: morning });
    } finally {
      left -= 1;
    }
  };
  /**
   * While no post can be saved, all that are left choose their slugs.
   * Then they try to save them together.
   */
  const inStep = (begin?: () => void) =>
    administrator.begin(async (sql) => {
      await sql`lock table posts in share row exclusive mode`;
      begin?.();
      const allWait = async () => {
        const [row] = await sql`select count(distinct pid)::int as waiting from pg_locks
          where not granted and database = (select oid from pg_database where datname = current_database())`;
        return row?.waiting === left;
      };
      await expect.poll(allWait).toBe(true);
    });
  let outcomes: ReturnType<typeof allOutcomes> | undefined;
  const allOutcomes = () => Promise.allSettled(users.map((_, index) => publish(index)));
  await inStep(() => {
    outcomes = allOutcomes();
  });
  for (let round = 1; round < rounds; round += 1) await inStep();
  const created = {
    status: "fulfilled",
    value: { kind: "created", slug: expect.any(String), isPublished: true, publishAt: null },
  };
  expect(await outcomes).toEqual(users.map(() => created));
  expect(new Set((await outcomes)?.map((outcome) => JSON.stringify(outcome))).size).toBe(postCount);
});
