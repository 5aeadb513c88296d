/** Connections to share: each is used by one at a time, and whoever finds none free waits, for so long and no longer. */
import type { PoolFigures } from "../../types.ts";
import type { Connection } from "./connection.ts";
import { PostgresUnavailableError } from "./errors.ts";

export interface Pool {
  take(): Promise<Connection>;
  giveBack(connection: Connection): void;
  figures(): PoolFigures;
  /** Ends all connections, those in use when they are given back; resolves when all have ended. */
  close(): Promise<void>;
}

interface Waiting {
  resolve(connection: Connection): void;
  reject(error: Error): void;
}

export function createPool(
  open: () => Connection,
  { size, waitAtMostMs }: { size: number; waitAtMostMs: number },
): Pool {
  // The one used last comes first: of a few connections that suffice, each knows the statements.
  const idle: Connection[] = [];
  const waiting = new Set<Waiting>();
  let busy = 0;
  let ending: Promise<void>[] | undefined;
  let allGivenBack = () => {};

  function freeConnection(): Connection | undefined {
    for (let connection = idle.pop(); connection; connection = idle.pop())
      if (connection.isUsable()) return connection;
    return busy < size ? open() : undefined;
  }

  function wait(): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        waiting.delete(waiter);
        reject(
          new PostgresUnavailableError(`No connection to PostgreSQL was free within ${waitAtMostMs} ms`),
        );
      }, waitAtMostMs);
      const waiter = {
        resolve: (connection: Connection) => {
          clearTimeout(giveUp);
          resolve(connection);
        },
        reject: (error: Error) => {
          clearTimeout(giveUp);
          reject(error);
        },
      };
      waiting.add(waiter);
    });
  }

  return {
    async take() {
      if (ending) throw closedError();
      const connection = freeConnection();
      if (!connection) return wait();
      busy += 1;
      return connection;
    },
    giveBack(connection) {
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next.resolve(connection.isUsable() ? connection : open());
        return;
      }
      busy -= 1;
      if (ending) ending.push(connection.end());
      else if (connection.isUsable()) idle.push(connection);
      if (busy === 0) allGivenBack();
    },
    figures: () => ({ size, busy, waiting: waiting.size }),
    async close() {
      if (!ending) {
        ending = idle.splice(0).map((connection) => connection.end());
        for (const { reject } of waiting) reject(closedError());
        waiting.clear();
      }
      if (busy > 0)
        await new Promise<void>((resolve) => {
          const before = allGivenBack;
          allGivenBack = () => {
            before();
            resolve();
          };
        });
      await Promise.all(ending);
    },
  };
}

function closedError(): Error {
  return new PostgresUnavailableError("The database is closed");
}
