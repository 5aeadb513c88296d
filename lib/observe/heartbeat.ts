/**
 * A node's heartbeat: saves its status report.
 * It also adds the decisions that its limits counted since the last beat.
 *
 * Each beat is one short transaction that never waits for a lock. Counts that could not be written are written by a
 * later beat, exactly once: the database keeps the number of the last beat it has, because a commit may succeed
 * while its acknowledgement is lost.
 */
import type { Database, LimitCounts } from "../../db/index.ts";
import { hourMs } from "../time/units.ts";
import type { LimitCounters } from "./limit-counters.ts";

/** How long the row of a silent node is kept. */
const nodesKeptMs = hourMs;
const countsKeptHours = 14 * 24;

interface HeartbeatSettings {
  database: Pick<Database, "transactionNow" | "operations">;
  node: { id: string; name: string; startedAt: number };
  counters: LimitCounters;
  /** The node's status report at `now`, JSON-serialisable. */
  describe: (now: number) => Promise<unknown>;
  /**
   * The part of the time up to `now` that is trusted.
   * Records are removed by this time, so a clock that jumps ahead removes nothing.
   */
  trusted: (now: number) => number;
  /** Called with the error of each failed beat. */
  report: (error: unknown) => void;
}

export type Heartbeat = ReturnType<typeof createHeartbeat>;

/** Beats run one after the other and never reject; `now` is in milliseconds. */
export function createHeartbeat({ database, node, counters, describe, trusted, report }: HeartbeatSettings) {
  const { operations } = database;
  let last: Promise<void> = Promise.resolve();
  let hasLeft = false;
  let round = 0;
  /** The counts of beat `round`, until they are known to be written. */
  let batch: readonly LimitCounts[] | undefined;

  async function write(now: number, save: () => Promise<void>): Promise<void> {
    const isRetry = batch !== undefined;
    if (!batch) round += 1;
    const counts = batch ?? counters.take();
    batch = counts;
    await database.transactionNow(async () => {
      if (((await operations.roundOf(node.id)) ?? 0) < round) await operations.addLimitCounts(counts);
      await save();
      await operations.removeNodesNotSeenSince(trusted(now) - nodesKeptMs);
      await operations.removeLimitCountsBefore(Math.floor(trusted(now) / hourMs) - countsKeptHours);
    });
    batch = undefined;
    if (isRetry) await write(now, save);
  }

  async function saveStatus(now: number): Promise<void> {
    if (hasLeft) return;
    const status = await describe(now);
    await write(now, () => operations.saveNode({ ...node, seenAt: now, round, report: status }));
  }

  async function removeNode(now: number): Promise<void> {
    if (hasLeft) return;
    hasLeft = true;
    await write(now, () => operations.removeNode(node.id));
  }

  function enqueue(work: () => Promise<void>): Promise<void> {
    last = last.then(work).catch(report);
    return last;
  }

  return {
    beat: (now: number) => enqueue(() => saveStatus(now)),
    /** The last beat: writes the remaining counts and removes the node. */
    leave: (now: number) => enqueue(() => removeNode(now)),
  };
}
