/** Two nodes with different clocks share one limit on PostgreSQL. */
import { openPostgres } from "../../db/dialects/postgres/index.ts";
import { databaseStore } from "../../db/limiter-store.ts";
import { createLimiter, leakyBucket } from "../../lib/limiter/index.ts";

interface Skew {
  aheadMs: number;
  capacity: number;
  requests: number;
}

const requestsPerTurn = 10;
/** One more request in a quarter of an hour. */
const leakPerSecond = 1 / 900;

export async function admittedByTwoNodes(
  url: string,
  { aheadMs, capacity, requests }: Skew,
): Promise<number> {
  const clocks = [() => Date.now() + aheadMs, () => Date.now()];
  const databases = await Promise.all(
    clocks.map((nodeClock) => openPostgres(url, { poolSize: 2, nodeClock })),
  );
  const limiters = databases.map((database, index) =>
    createLimiter({
      algorithm: leakyBucket({ capacity, leakPerSecond }),
      store: databaseStore(database, clocks[index]),
    }),
  );
  let admitted = 0;
  for (let turn = 0; turn < requests / requestsPerTurn; turn += 1) {
    const limiter = limiters[turn % 2];
    const decisions = Array.from({ length: requestsPerTurn }, () => limiter?.consume("guesses"));
    for (const decision of await Promise.all(decisions)) admitted += Number(decision?.allowed);
  }
  await Promise.all(databases.map((database) => database.close()));
  return admitted;
}
