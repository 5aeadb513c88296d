/**
 * Lanes for transactions that will wait for one another anyway, such as ratings of one post: only a few of each are let to the
 * database at a time. Otherwise those who wait for a hot post would hold every connection, and nobody else could even read.
 */
import { PostgresUnavailableError } from "./errors.ts";

/** One at work, and one that has begun by the time it is done. */
const width = 2;

interface Lane {
  atWork: number;
  waiting: Set<() => void>;
}

/** Runs `work` when its lane has room, in the order in which it was asked for; rejects when that takes longer than this. */
export function createLanes(waitAtMostMs: number) {
  const lanes = new Map<string, Lane>();

  function enter(name: string): Promise<void> | undefined {
    const lane = lanes.get(name) ?? { atWork: 0, waiting: new Set() };
    lanes.set(name, lane);
    if (lane.atWork < width) {
      lane.atWork += 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        lane.waiting.delete(begin);
        reject(new PostgresUnavailableError(`Others were at the same row for ${waitAtMostMs} ms`));
      }, waitAtMostMs);
      const begin = () => {
        clearTimeout(giveUp);
        resolve();
      };
      lane.waiting.add(begin);
    });
  }

  function leave(name: string): void {
    const lane = lanes.get(name);
    if (!lane) return;
    const [next] = lane.waiting;
    if (next) {
      // In the place of the one that leaves.
      lane.waiting.delete(next);
      next();
      return;
    }
    lane.atWork -= 1;
    if (lane.atWork === 0) lanes.delete(name);
  }

  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    await enter(name);
    try {
      return await work();
    } finally {
      leave(name);
    }
  };
}
