import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Database, openDatabase } from "../../db/index.ts";
import { temporaryDatabase, temporaryDatabaseUrl } from "../../testing/database.ts";
import { patientTimeouts, sharedPostgres } from "../../testing/postgres-server.ts";
import { hourMs } from "../time/units.ts";
import { createHeartbeat } from "./heartbeat.ts";
import { createLimitCounters, noCounts } from "./limit-counters.ts";

const noon = Date.UTC(2026, 2, 1, 12);
const hour = noon / hourMs;

function nodeOn(
  database: Database,
  id = "a",
  transactionNow: Database["transactionNow"] = database.transactionNow,
  trusted = (now: number) => now,
) {
  const counters = createLimitCounters();
  const failures: unknown[] = [];
  const heartbeat = createHeartbeat({
    database: { operations: database.operations, transactionNow },
    node: { id, name: `host:${id}`, startedAt: noon },
    counters,
    describe: async (now) => ({ at: now }),
    trusted,
    report: (error) => void failures.push(error),
  });
  const refuse = (times: number, at = noon) => {
    for (let time = 1; time <= times; time += 1) counters.count("rating.post", "refused", at);
  };
  return { counters, heartbeat, failures, refuse };
}

const refused = (count: number, also = {}) => ({ ...noCounts("rating.post", hour), refused: count, ...also });

describe("heartbeat on SQLite", () => {
  test("saves the node's report and adds the counts since the last beat", async () => {
    const database = temporaryDatabase();
    const { counters, heartbeat, refuse } = nodeOn(database);
    refuse(2);
    counters.count("rating.post", "allowed", noon);
    counters.count("rating.post", "held", noon);
    counters.count("rating.post.ema", "shadowWouldRefuse", noon);
    refuse(1, noon + hourMs);
    await heartbeat.beat(noon);
    const first = [
      refused(2, { allowed: 1, held: 1 }),
      { ...noCounts("rating.post.ema", hour), shadowWouldRefuse: 1 },
      refused(1, { hour: hour + 1 }),
    ];
    expect(await database.operations.limitCountsFrom(0)).toEqual(first);
    await heartbeat.beat(noon + 15_000);
    expect(await database.operations.limitCountsFrom(0)).toEqual(first);
    refuse(1);
    await heartbeat.beat(noon + 30_000);
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

  test("removes no other node and no counts by a clock that has jumped ahead", async () => {
    const database = temporaryDatabase();
    const nodes = [nodeOn(database), nodeOn(database, "b", database.transactionNow, () => noon)] as const;
    nodes[0].refuse(1);
    await nodes[0].heartbeat.beat(noon);
    await nodes[1].heartbeat.beat(noon + 15 * 24 * hourMs);
    expect((await database.operations.nodes()).map(({ id }) => id)).toEqual(["a", "b"]);
    expect(await database.operations.limitCountsFrom(0)).toEqual([refused(1)]);
  });

  test("does not wait for a locked file, and writes the missed counts once later", async () => {
    const url = temporaryDatabaseUrl();
    const database = temporaryDatabase(url);
    const other = temporaryDatabase(url);
    const { heartbeat, failures, refuse } = nodeOn(database);
    refuse(1);
    await heartbeat.beat(noon);
    other.sqlite.exec("begin immediate");
    refuse(2);
    await heartbeat.beat(noon + 15_000);
    refuse(3);
    await heartbeat.beat(noon + 30_000);
    other.sqlite.exec("rollback");
    expect(failures).toEqual([
      expect.objectContaining({ code: "SQLITE_BUSY" }),
      expect.objectContaining({ code: "SQLITE_BUSY" }),
    ]);
    expect(await database.operations.limitCountsFrom(0)).toEqual([refused(1)]);
    await heartbeat.beat(noon + 45_000);
    expect(await database.operations.limitCountsFrom(0)).toEqual([refused(6)]);
    await heartbeat.beat(noon + 60_000);
    expect(await database.operations.limitCountsFrom(0)).toEqual([refused(6)]);
    expect(failures).toHaveLength(2);
  });

  test("does not add counts twice when a commit succeeded but its acknowledgement was lost", async () => {
    const database = temporaryDatabase();
    let isAcknowledged = false;
    const { heartbeat, failures, refuse } = nodeOn(database, "a", async (work) => {
      const result = await database.transactionNow(work);
      if (!isAcknowledged) throw new Error("the connection is gone");
      return result;
    });
    refuse(5);
    await heartbeat.beat(noon);
    refuse(2);
    await heartbeat.beat(noon + 15_000);
    isAcknowledged = true;
    await heartbeat.beat(noon + 30_000);
    expect(failures).toHaveLength(2);
    expect(await database.operations.limitCountsFrom(0)).toEqual([refused(7)]);
    isAcknowledged = false;
    refuse(1);
    await heartbeat.beat(noon + 45_000);
    isAcknowledged = true;
    await heartbeat.leave(noon + 60_000);
    expect(await database.operations.limitCountsFrom(0)).toEqual([refused(8)]);
  });

  test("leave() writes the last counts and removes the node for good", async () => {
    const database = temporaryDatabase();
    const { heartbeat, refuse } = nodeOn(database);
    const stays = nodeOn(database, "b");
    await heartbeat.beat(noon);
    await stays.heartbeat.beat(noon);
    refuse(4);
    await heartbeat.leave(noon + 1_000);
    await heartbeat.beat(noon + 2_000);
    await heartbeat.leave(noon + 3_000);
    expect((await database.operations.nodes()).map(({ id }) => id)).toEqual(["b"]);
    expect(await database.operations.limitCountsFrom(0)).toEqual([refused(4)]);
  });

  test("removes nodes silent for an hour, and counts older than a fortnight", async () => {
    const database = temporaryDatabase();
    const gone = nodeOn(database, "gone");
    const here = nodeOn(database, "here");
    gone.refuse(1);
    await gone.heartbeat.beat(noon);
    await here.heartbeat.beat(noon + hourMs);
    expect(await database.operations.nodes()).toHaveLength(2);
    await here.heartbeat.beat(noon + hourMs + 1);
    expect((await database.operations.nodes()).map(({ id }) => id)).toEqual(["here"]);
    const fortnightMs = 14 * 24 * hourMs;
    await here.heartbeat.beat(noon + fortnightMs);
    expect(await database.operations.limitCountsFrom(0)).toEqual([refused(1)]);
    await here.heartbeat.beat(noon + fortnightMs + hourMs);
    expect(await database.operations.limitCountsFrom(0)).toEqual([]);
  });
});

describe("heartbeat on PostgreSQL", () => {
  let server: Awaited<ReturnType<typeof sharedPostgres>>;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  test("adds up the counts of nodes that write at once, those of failed beats included", async () => {
    const url = await server.newMigratedDatabase();
    const nodes = await Promise.all(
      ["a", "b", "c"].map(async (id) => {
        const database = await openDatabase(url, { poolSize: 2, timeouts: patientTimeouts });
        onTestFinished(() => database.close());
        return { database, ...nodeOn(database, id) };
      }),
    );
    for (let time = 0; time < 20; time += 1)
      await Promise.all(
        nodes.map(({ refuse, heartbeat }, index) => {
          refuse(index + 1);
          return heartbeat.beat(noon + time);
        }),
      );
    // One after the other, so that no lock is in the way.
    for (const { heartbeat } of nodes) await heartbeat.beat(noon + 20);
    const [{ database } = expect.fail()] = nodes;
    expect(await database.operations.limitCountsFrom(0)).toEqual([refused(20 * (1 + 2 + 3))]);
    expect((await database.operations.nodes()).map(({ id }) => id)).toEqual(["a", "b", "c"]);
    for (const { failures } of nodes)
      for (const failure of failures)
        expect(failure).toMatchObject({ code: expect.stringMatching(/^(55P03|40P01|23505)$/) });
  });
});
