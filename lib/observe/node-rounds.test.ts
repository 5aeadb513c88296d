import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Database, openDatabase } from "../../db/index.ts";
import { temporaryDatabase, temporaryDatabaseUrl } from "../../testing/database.ts";
import { type PostgresServer, startPostgres } from "../../testing/postgres-server.ts";
import { createLimitTally, hourMs, noCounts } from "./limit-tally.ts";
import { createNodeRounds } from "./node-rounds.ts";

const noon = Date.UTC(2026, 2, 1, 12);
const hour = noon / hourMs;

function nodeUpon(
  database: Database,
  id = "a",
  transactionNow: Database["transactionNow"] = database.transactionNow,
) {
  const tally = createLimitTally();
  const failures: unknown[] = [];
  const rounds = createNodeRounds({
    database: { operations: database.operations, transactionNow },
    node: { id, name: `host:${id}`, startedAt: noon },
    tally,
    describe: async (now) => ({ at: now }),
    report: (error) => void failures.push(error),
  });
  const refuse = (times: number, at = noon) => {
    for (let time = 1; time <= times; time += 1) tally.count("rating.post", "refused", at);
  };
  return { tally, rounds, failures, refuse };
}

const refused = (count: number, also = {}) => ({ ...noCounts("rating.post", hour), refused: count, ...also });

describe("Upon SQLite", () => {
  test("a round says how the node does, and adds what was counted since the last one", async () => {
    const database = temporaryDatabase();
    const { tally, rounds, refuse } = nodeUpon(database);
    refuse(2);
    tally.count("rating.post", "allowed", noon);
    tally.count("rating.post", "held", noon);
    tally.count("rating.post.ema", "shadowWouldRefuse", noon);
    refuse(1, noon + hourMs);
    await rounds.go(noon);
    const first = [
      refused(2, { allowed: 1, held: 1 }),
      { ...noCounts("rating.post.ema", hour), shadowWouldRefuse: 1 },
      refused(1, { hour: hour + 1 }),
    ];
    expect(await database.operations.limitCountsFrom(0)).toEqual(first);
    await rounds.go(noon + 15_000);
    expect(await database.operations.limitCountsFrom(0)).toEqual(first);
    refuse(1);
    await rounds.go(noon + 30_000);
    expect((await database.operations.limitCountsFrom(0))[0]).toEqual(refused(3, { allowed: 1, held: 1 }));
    expect(await database.operations.nodes()).toEqual([
      {
        id: "a",
        name: "host:a",
        startedAt: noon,
        seenAt: noon + 30_000,
        round: 3,
        report: { at: noon + 30_000 },
      },
    ]);
  });

  test("a round waits for nobody who has the file locked, and what it could not write is written once later", async () => {
    const url = temporaryDatabaseUrl();
    const database = temporaryDatabase(url);
    const other = temporaryDatabase(url);
    const { rounds, failures, refuse } = nodeUpon(database);
    refuse(1);
    await rounds.go(noon);
    other.sqlite.exec("begin immediate");
    refuse(2);
    await rounds.go(noon + 15_000);
    refuse(3);
    await rounds.go(noon + 30_000);
    other.sqlite.exec("rollback");
    expect(failures).toEqual([
      expect.objectContaining({ code: "SQLITE_BUSY" }),
      expect.objectContaining({ code: "SQLITE_BUSY" }),
    ]);
    expect(await database.operations.limitCountsFrom(0)).toEqual([refused(1)]);
    await rounds.go(noon + 45_000);
    expect(await database.operations.limitCountsFrom(0)).toEqual([refused(6)]);
    await rounds.go(noon + 60_000);
    expect(await database.operations.limitCountsFrom(0)).toEqual([refused(6)]);
    expect(failures).toHaveLength(2);
  });

  test("what was committed though the node was told otherwise is not added again", async () => {
    const database = temporaryDatabase();
    let isHeard = false;
    const { rounds, failures, refuse } = nodeUpon(database, "a", async (work) => {
      const result = await database.transactionNow(work);
      if (!isHeard) throw new Error("the connection is gone");
      return result;
    });
    refuse(5);
    await rounds.go(noon);
    refuse(2);
    await rounds.go(noon + 15_000);
    isHeard = true;
    await rounds.go(noon + 30_000);
    expect(failures).toHaveLength(2);
    expect(await database.operations.limitCountsFrom(0)).toEqual([refused(7)]);
    isHeard = false;
    refuse(1);
    await rounds.go(noon + 45_000);
    isHeard = true;
    await rounds.leave(noon + 60_000);
    expect(await database.operations.limitCountsFrom(0)).toEqual([refused(8)]);
  });

  test("a node that leaves is gone, its last counts are there, and it does not come back", async () => {
    const database = temporaryDatabase();
    const { rounds, refuse } = nodeUpon(database);
    const stays = nodeUpon(database, "b");
    await rounds.go(noon);
    await stays.rounds.go(noon);
    refuse(4);
    await rounds.leave(noon + 1_000);
    await rounds.go(noon + 2_000);
    await rounds.leave(noon + 3_000);
    expect((await database.operations.nodes()).map(({ id }) => id)).toEqual(["b"]);
    expect(await database.operations.limitCountsFrom(0)).toEqual([refused(4)]);
  });

  test("a node that was not seen for an hour is forgotten by the next one's round, and counts after a fortnight", async () => {
    const database = temporaryDatabase();
    const gone = nodeUpon(database, "gone");
    const here = nodeUpon(database, "here");
    gone.refuse(1);
    await gone.rounds.go(noon);
    await here.rounds.go(noon + hourMs);
    expect(await database.operations.nodes()).toHaveLength(2);
    await here.rounds.go(noon + hourMs + 1);
    expect((await database.operations.nodes()).map(({ id }) => id)).toEqual(["here"]);
    const fortnightMs = 14 * 24 * hourMs;
    await here.rounds.go(noon + fortnightMs);
    expect(await database.operations.limitCountsFrom(0)).toEqual([refused(1)]);
    await here.rounds.go(noon + fortnightMs + hourMs);
    expect(await database.operations.limitCountsFrom(0)).toEqual([]);
  });
});

describe("Upon PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test("the counts of nodes that write at once add up, those of rounds that failed included", async () => {
    const url = await server.newDatabase();
    const nodes = await Promise.all(
      ["a", "b", "c"].map(async (id) => {
        const database = await openDatabase(url, { poolSize: 2 });
        onTestFinished(() => database.close());
        return { database, ...nodeUpon(database, id) };
      }),
    );
    for (let time = 0; time < 20; time += 1)
      await Promise.all(
        nodes.map(({ refuse, rounds }, index) => {
          refuse(index + 1);
          return rounds.go(noon + time);
        }),
      );
    // One after the other, nobody is in another's way.
    for (const { rounds } of nodes) await rounds.go(noon + 20);
    const [{ database } = expect.fail()] = nodes;
    expect(await database.operations.limitCountsFrom(0)).toEqual([refused(20 * (1 + 2 + 3))]);
    expect((await database.operations.nodes()).map(({ id }) => id)).toEqual(["a", "b", "c"]);
    for (const { failures } of nodes)
      for (const failure of failures)
        expect(failure).toMatchObject({ code: expect.stringMatching(/^(55P03|40P01|23505)$/) });
  });
});
