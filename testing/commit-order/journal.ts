/**
 * The order of commits, and the inputs that make a transaction repeatable.
 *
 * Every transaction of a writer ends with a row in the test's own table `journal`, numbered by the database. Between two
 * transactions that are in each other's way the numbers are the order of their commits:
 *
 * - SQLite has one writer at a time: its transactions come one after the other.
 * - PostgreSQL's transactions keep their locks until they have committed, and a number is drawn as a transaction's last
 *   statement, when it has all of its locks. So of two that lock the same row (a post, an account) or the same limiter state,
 *   the second draws its number after the first has committed. Two that lock nothing in common commute, as neither
 *   reads or writes rows that the other one writes, with two exceptions:
 *   - Some reads take no lock, as their results need not be true any more by the time of the commit: the posts by which
 *     the site's prior is computed, an account's backoff, whether a disabled account has been enabled (a row that the
 *     query leaves out is not locked), which removal or account is next, how many rows of an account are left, which
 *     posts are due, and by how much the database's clock is ahead. Their results are in the journal, and the replay
 *     gets them. Everything that follows from them is computed and written again. `tape.ts` has the list.
 *   - Pruning deletes limiter states without their locks, and leaves out attempts that another transaction has locked. A
 *     lock of the test's own, which all other transactions share, keeps it apart from them.
 *
 * A killed writer's transaction is in the journal exactly if it has committed.
 */
import type { Database } from "../../db/index.ts";
import type { OpenBlog, Run } from "./blog.ts";
import type { BlogOperation } from "./operations.ts";
import { taped } from "./tape.ts";

interface RecordedStep {
  name: string;
  /** Absent for undefined. */
  value?: unknown;
}

/** A transaction that was committed. */
export interface Entry {
  /** The operation's; each of its transactions has an entry. */
  id: string;
  operation: BlogOperation;
  /** The recorded reads and checks, in order. */
  steps: RecordedStep[];
}

const pruningLock = 4_711;

export async function makeJournal({ run, isPostgres }: OpenBlog): Promise<void> {
  const number = isPostgres ? "bigint generated always as identity" : "integer";
  await run(
    `create table journal (number ${number} primary key, id text not null, operation text not null, steps text not null)`,
  );
}

export async function readJournal(run: Run): Promise<Entry[]> {
  const rows = await run("select id, operation, steps from journal order by number");
  return rows.map(([id, operation, steps]) => ({
    id: String(id),
    operation: JSON.parse(String(operation)),
    steps: JSON.parse(String(steps)),
  }));
}

/**
 * A database that records its transactions in the journal.
 * Each is a part of the operation that `current` returns.
 */
export function recorded(
  { database, run, isPostgres }: OpenBlog,
  current: () => Pick<Entry, "id" | "operation">,
): Database {
  return taped(database, {
    idle: { input: (_, found) => found, check: () => {} },
    async run(work) {
      const { id, operation } = current();
      const steps: RecordedStep[] = [];
      if (isPostgres) {
        const shared = operation.kind === "prune" ? "" : "_shared";
        await run(`select pg_advisory_xact_lock${shared}(${pruningLock})`);
      }
      const result = await work({
        input(name, found) {
          steps.push({ name, value: found });
          return found;
        },
        check: (name, value) => void steps.push({ name, value }),
      });
      await run(
        `insert into journal (id, operation, steps) values (${isPostgres ? "$1, $2, $3" : "?, ?, ?"})`,
        [id, JSON.stringify(operation), JSON.stringify(steps)],
      );
      return result;
    },
  });
}

/**
 * A database whose transactions read the recorded values.
 * They throw where they do not save the same as then.
 */
export function replaying(database: Database) {
  let entry: Entry | undefined;
  let place = 0;
  let isFirst = true;
  const take = (name: string): unknown => {
    const step = entry?.steps[place];
    if (step?.name !== name)
      throw new Error(
        `${entry?.id}: the replay is at "${name}", the journal at "${step?.name ?? "its end"}".`,
      );
    place += 1;
    return step.value;
  };
  return {
    database: taped(database, {
      // Before a transaction, only whether any post is due matters.
      idle: {
        input: (name, found) => (name === "due posts" ? (take(name) as typeof found) : found),
        check: () => {},
      },
      async run(work) {
        // Restores the tape of before the first transaction; a second one only reads.
        if (isFirst) place = 0;
        isFirst = false;
        return work({
          // The one cast: under a name, the journal has the results that were found there.
          input: (name, found) => take(name) as typeof found,
          check(name, value, isCompared = true) {
            const [now, then] = [JSON.stringify(value), JSON.stringify(take(name))];
            if (isCompared && now !== then)
              throw new Error(`${entry?.id}: ${name} is\n${now}\nin the replay and was\n${then}`);
          },
        });
      },
    }),
    /** Runs the work of an entry; throws when it has not done all that the entry has. */
    async during(next: Entry, work: () => Promise<unknown>): Promise<void> {
      [entry, place, isFirst] = [next, 0, true];
      await work();
      if (place < next.steps.length)
        throw new Error(`${next.id}: the replay ends before "${next.steps[place]?.name}".`);
    },
  };
}
