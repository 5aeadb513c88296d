/**
 * A node's rounds: each writes down what the node says of itself and adds what its limits have decided since the last
 * one, in one short transaction that waits for nobody. What could not be written is written in a later round, once: the
 * database remembers the number of the last round that it has had, for a commit may succeed and nobody hear of it.
 */
import type { Database, LimitCounts } from "../../db/index.ts";
import { hourMs, type LimitTally } from "./limit-tally.ts";

/** For how long a node that is not seen is remembered. */
const nodesKeptMs = hourMs;
const countsKeptHours = 14 * 24;

export interface NodeRoundSettings {
  database: Pick<Database, "transactionNow" | "operations">;
  node: { id: string; name: string; startedAt: number };
  tally: LimitTally;
  /** What the node says of itself at an instant, JSON-serialisable. */
  describe: (now: number) => Promise<unknown>;
  /** Told of each round that has failed. */
  report: (error: unknown) => void;
}

export type NodeRounds = ReturnType<typeof createNodeRounds>;

/** Rounds come one after the other, whoever asks; `now` is in milliseconds. None of them rejects. */
export function createNodeRounds({ database, node, tally, describe, report }: NodeRoundSettings) {
  const { operations } = database;
  let last: Promise<void> = Promise.resolve();
  let hasLeft = false;
  let round = 0;
  /** Taken in round `round`, and not known to be written. */
  let batch: readonly LimitCounts[] | undefined;

  async function write(now: number, save: () => Promise<void>): Promise<void> {
    const isLate = batch !== undefined;
    if (!batch) round += 1;
    const counts = batch ?? tally.take();
    batch = counts;
    await database.transactionNow(async () => {
      if (((await operations.roundOf(node.id)) ?? 0) < round) await operations.addLimitCounts(counts);
      await save();
      await operations.removeNodesNotSeenSince(now - nodesKeptMs);
      await operations.removeLimitCountsBefore(Math.floor(now / hourMs) - countsKeptHours);
    });
    batch = undefined;
    if (isLate) await write(now, save);
  }

  async function stay(now: number): Promise<void> {
    if (hasLeft) return;
    const said = await describe(now);
    await write(now, () => operations.saveNode({ ...node, seenAt: now, round, report: said }));
  }

  async function leave(now: number): Promise<void> {
    if (hasLeft) return;
    hasLeft = true;
    await write(now, () => operations.removeNode(node.id));
  }

  function afterTheLast(work: () => Promise<void>): Promise<void> {
    last = last.then(work).catch(report);
    return last;
  }

  return {
    /** One round. */
    go: (now: number) => afterTheLast(() => stay(now)),
    /** The last round: the node is gone, and what it has counted is there. */
    leave: (now: number) => afterTheLast(() => leave(now)),
  };
}
