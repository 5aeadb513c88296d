import type { EncodedAnswer } from "../answers.ts";

/** A decision that is being made, of a request with an id. */
interface InFlightDecision {
  id: string | number;
  fingerprint: number;
  answering: Promise<EncodedAnswer>;
  /** For a wait: adds a caller. False when all callers have given it up already. */
  join: ((signal: AbortSignal | undefined) => boolean) | undefined;
  /** The next of its bucket. */
  next: InFlightDecision | undefined;
}

/** The number of hash buckets: a power of two. */
const bucketCount = 2 ** 16;

/**
 * A hash table of the decisions in flight, by the hash of their request's id.
 * A `Map` whose entries come and go with each request costs 2 µs a request: its former tables, which refer to the next
 * one, survive with all that they contain until the next full garbage collection.
 */
export function createInFlightDecisions() {
  const buckets = Array.from<InFlightDecision | undefined>({ length: bucketCount });

  return {
    find(id: string | number, hash: number): InFlightDecision | undefined {
      let decision = buckets[hash & (bucketCount - 1)];
      while (decision && decision.id !== id) decision = decision.next;
      return decision;
    },
    add(hash: number, decision: InFlightDecision): void {
      const bucket = hash & (bucketCount - 1);
      decision.next = buckets[bucket];
      buckets[bucket] = decision;
    },
    remove(id: string | number, hash: number): void {
      const bucket = hash & (bucketCount - 1);
      let before: InFlightDecision | undefined;
      let decision = buckets[bucket];
      while (decision && decision.id !== id) {
        before = decision;
        decision = decision.next;
      }
      if (before) before.next = decision?.next;
      else buckets[bucket] = decision?.next;
    },
  };
}
