import type { EncodedAnswer } from "../answers.ts";

/** A request that is being decided. */
export interface PendingRequest {
  id: string | number;
  fingerprint: number;
  answering: Promise<EncodedAnswer>;
  /** For a wait: adds a caller. False when all callers have given it up already. */
  join: ((signal: AbortSignal | undefined) => boolean) | undefined;
  /** The next of its bucket. */
  next: PendingRequest | undefined;
}

/** The number of hash buckets: a power of two. */
const bucketCount = 1024;

/**
 * A hash table of the pending requests, by the hash of their id.
 * A `Map` whose entries come and go with each request costs 2 µs a request: its former tables, which refer to the next
 * one, survive with all that they contain until the next full garbage collection.
 */
export function createPendingRequests() {
  const buckets = Array.from<PendingRequest | undefined>({ length: bucketCount });

  return {
    find(id: string | number, hash: number): PendingRequest | undefined {
      let request = buckets[hash & (bucketCount - 1)];
      while (request && request.id !== id) request = request.next;
      return request;
    },
    add(hash: number, request: Omit<PendingRequest, "next">): void {
      const bucket = hash & (bucketCount - 1);
      const { id, fingerprint, answering, join } = request;
      buckets[bucket] = { id, fingerprint, answering, join, next: buckets[bucket] };
    },
    remove(id: string | number, hash: number): void {
      const bucket = hash & (bucketCount - 1);
      let before: PendingRequest | undefined;
      let request = buckets[bucket];
      while (request && request.id !== id) {
        before = request;
        request = request.next;
      }
      if (before) before.next = request?.next;
      else buckets[bucket] = request?.next;
    },
  };
}
