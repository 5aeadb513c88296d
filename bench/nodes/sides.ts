/** Sides of a comparison under load. The answers of each, and their CPU time. */
import type { Side } from "../measure.ts";
import { type Load, type LoadClient, perSecond } from "./load.ts";
import { measured, type ProcessorSeconds, parts } from "./processes.ts";

export interface LoadedSide {
  side: Side;
  /** Milliseconds of one processor for one request, over all rounds so far. */
  costMs(): ProcessorSeconds & { client: number };
  /**
   * Busy processors, over all rounds so far.
   * 1 is one of them all the time.
   */
  busy(): ProcessorSeconds & { client: number };
}

/**
 * `load` returns the requests of a round.
 * Round 0 is not counted in the comparison.
 */
export function loadedSide(
  client: LoadClient,
  cluster: Parameters<typeof measured>[0],
  load: (round: number) => Load | Promise<Load>,
): LoadedSide {
  const total = { nodes: 0, nginx: 0, PostgreSQL: 0, Redis: 0, client: 0 };
  let answered = 0;
  let seconds = 0;
  let round = 0;
  const per = (amount: number) => {
    const shares = { ...total };
    for (const part of [...parts, "client"] as const) shares[part] /= amount;
    return shares;
  };
  return {
    async side() {
      const next = await load(round);
      round += 1;
      const { result, taken } = await measured(cluster, () => client.run(next));
      for (const part of parts) total[part] += taken[part];
      total.client += result.processorSeconds;
      answered += result.answered;
      seconds += result.seconds;
      return perSecond(result);
    },
    costMs: () => per(answered / 1_000),
    busy: () => per(seconds),
  };
}
