/**
 * Replays the commits of eight concurrent processes one by one.
 * The rows must be the same on both blogs.
 *
 * `testing/commit-order` has the parts; `journal.ts` there explains the order of commits.
 *
 * The seeds decide the operations of each writer; their interleaving differs each time. When a test fails, its journal
 * is kept in `test-results`. For a longer run:
 *
 *     COMMIT_ORDER_SEEDS=1-40 COMMIT_ORDER_OPERATIONS=5000 npm test -- commit-order
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { inspect } from "../../db/inspect.ts";
import { countersThatDisagree } from "../../db/recount.ts";
import { makeBlog, type OpenBlog, openBlog } from "../../testing/commit-order/blog.ts";
import { type Entry, makeJournal, readJournal, recorded } from "../../testing/commit-order/journal.ts";
import { type BlogOperation, execute } from "../../testing/commit-order/operations.ts";
import { replay } from "../../testing/commit-order/replay.ts";
import { allRows, differences } from "../../testing/commit-order/rows.ts";
import { countedRatings, faultsOfScore } from "../../testing/commit-order/scores.ts";
import { type OperationAnswer, write } from "../../testing/commit-order/writers.ts";
import { temporaryDatabaseUrl } from "../../testing/database.ts";
import { sharedPostgres } from "../../testing/postgres-server.ts";

const { COMMIT_ORDER_SEEDS = "1-2", COMMIT_ORDER_OPERATIONS = "600" } = process.env;
const [first = 1, last = first] = COMMIT_ORDER_SEEDS.split("-").map(Number);
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index);
const operations = Number(COMMIT_ORDER_OPERATIONS);
const kills = Math.ceil(operations / 150);

const newDatabases = {
  SQLite: async () => temporaryDatabaseUrl(),
  PostgreSQL: async () => (await sharedPostgres()).newMigratedDatabase(),
};

const runs = seeds.flatMap((seed) => [{ on: "SQLite", seed } as const, { on: "PostgreSQL", seed } as const]);
test.each(runs)(
  "a replay of eight writers' commits, one by one, leaves the same rows ($on, seed $seed)",
  async ({ on, seed }) => {
    const url = await newDatabases[on]();
    const blog = await open(url);
    await quickDeadlocks(blog);
    const cast = await makeBlog(blog.database);
    await makeJournal(blog);
    const afterKill = async () => expect(await recount(url), `a recount, seed ${seed}`).toEqual([]);
    const answers = await write({ url, cast, seed, operations, kills, afterKill });
    await othersEnd(blog);

    const journal = () => readJournal(blog.run);
    try {
      const committed = new Set((await journal()).map(({ id }) => id));
      expect(answers.filter((answer) => isAcknowledged(answer) && !committed.has(answer[0]))).toEqual([]);
      expect(await finish(blog, seed, answers)).toEqual([]);
      expect(await recount(url)).toEqual([]);
      const again = await open(await newDatabases[on]());
      await makeBlog(again.database);
      await replay(again.database, await journal(), seed);
      expect(differences(await allRows(blog.run), await allRows(again.run))).toEqual([]);
    } catch (error) {
      keep(await journal(), `${on}-${seed}`);
      throw error;
    }
    if (process.env.COMMIT_ORDER_SEEDS) report({ on, seed, kills }, answers, await journal());
  },
);

async function open(url: string): Promise<OpenBlog> {
  const blog = await openBlog(url);
  onTestFinished(() => blog.database.close());
  return blog;
}

/** Shortens PostgreSQL's deadlock timeout for connections made after this. */
async function quickDeadlocks({ run, isPostgres }: OpenBlog): Promise<void> {
  if (!isPostgres) return;
  const [[name] = []] = await run("select current_database()");
  await run(`alter database ${name} set deadlock_timeout = '20ms'`);
}

/** Resolves when nothing of the killed processes is left in PostgreSQL. */
async function othersEnd({ run, isPostgres }: OpenBlog): Promise<void> {
  if (!isPostgres) return;
  const own = "datname = current_database() and application_name = current_setting('application_name')";
  await expect
    .poll(
      async () =>
        (
          await run(
            `select count(*) from pg_stat_activity where ${own} and xact_start is not null and pid <> pg_backend_pid()`,
          )
        )[0]?.[0],
    )
    .toEqual(0);
}

async function recount(url: string): Promise<string[]> {
  const { query, soundness, close } = await inspect(url);
  try {
    const faults = Object.values(soundness).flatMap((look) => look());
    return [...faults, ...(await countersThatDisagree(query))];
  } finally {
    await close();
  }
}

/**
 * Finishes the background work, and withdraws a rating of each post.
 * Resolves to the faults of the scores after that.
 */
async function finish(blog: OpenBlog, seed: number, answers: readonly OperationAnswer[]): Promise<string[]> {
  const now = Math.max(...answers.map(([, , time]) => time)) + 3_600_000;
  let number = 0;
  const act = (operation: BlogOperation) => {
    number += 1;
    const current = { id: `test ${number} ${operation.kind}`, operation };
    return execute(
      recorded(blog, () => current),
      operation,
      seed,
    );
  };
  for (const kind of ["remove", "move", "remove"] as const)
    while (!(await act({ kind, now })).startsWith("none"));
  await act({ kind: "prune", now });
  const faults: string[] = [];
  for (const { slug } of await blog.database.posts.recent(100)) {
    const post = await blog.database.posts.idOf(slug);
    const [rating] = post ? await countedRatings(blog, post.id) : [];
    if (!post || !rating) continue;
    await act({ kind: "withdraw", slug, userId: rating.userId, now });
    faults.push(...(await faultsOfScore(blog, post.id, now)));
  }
  return faults;
}

/** Whether an answer reports a saved change. */
function isAcknowledged([, outcome]: OperationAnswer): boolean {
  return /^(saved|held|limited|withdrawn|decided|moved|removed|changed|deleted)$/.test(outcome);
}

function keep(journal: readonly Entry[], name: string): void {
  mkdirSync("test-results", { recursive: true });
  const file = join("test-results", `commit-order-${name}.json`);
  writeFileSync(file, JSON.stringify(journal, undefined, 1));
  console.error(`The journal is in ${file}.`);
}

function report(run: object, answers: readonly OperationAnswer[], journal: readonly Entry[]): void {
  const kinds = Map.groupBy(answers, ([id, outcome]) => `${id.replace(/^\S+ \d+ /, "")}: ${outcome}`);
  const counts = [...kinds].map(([kind, some]) => [kind, some.length] as const).toSorted();
  console.error(
    JSON.stringify({
      ...run,
      answered: answers.length,
      commits: journal.length,
      ...Object.fromEntries(counts),
    }),
  );
}
