import { requireDistinct, requireKnown, requirePositive, requireWhole } from "../settings.ts";
import type { Clock, ManyStep, Store } from "../types.ts";
import { type Batch, enqueue } from "./redis/batch.ts";
import { RedisCalls, RedisStoreError } from "./redis/calls.ts";
import type { RedisClient } from "./redis/client.ts";
import { Deadlines } from "./redis/deadlines.ts";
import { LruCache } from "./redis/lru-cache.ts";
import { Key, PendingUpdate } from "./redis/pending-update.ts";
import { tagMaker } from "./redis/script.ts";
import { ServerClock } from "./redis/server-clock.ts";
import { storeFrom } from "./store-from.ts";

export type RedisStoreSettings = {
  /** Connected to a server or a cluster; see `redisClientOptions`. */
  client: RedisClient;
  /** Begins the names of all keys. Default: "limiter:". */
  prefix?: string;
  /**
   * How long an update may take, in milliseconds.
   * Default: 80, so that a failure is known within a tenth of a second.
   */
  timeoutMs?: number;
  /** Read when an update brings no time of its own. Default: the server's clock. */
  clock?: Clock;
  /** Called when steps run again because another process has changed a key. */
  onRetry?: () => void;
  /**
   * The number of keys whose latest state is cached, to be tried first.
   * Default: 10,000.
   */
  maxRecentKeys?: number;
};

/** Calls per write: fewer system calls, while the server starts on the first ones. */
const callsPerWrite = 12;

/**
 * States in Redis (5 or newer, or Valkey), shared by any number of processes.
 * Optimistic locking: a write is a compare-and-set, and a conflict runs the step again.
 * On Redis Cluster the keys of one `updateMany` must share a hash tag, e.g. that of a prefix such as "{limiter}:".
 *
 * An update runs its step on the states that this process saw last; its changes are saved if the keys still have these,
 * and if not the step runs again, on the states that they have. So a decision is one call of the server, two when
 * another process has changed a key, and concurrent updates with a key in common share their
 * calls. The time is the server's: machines need not agree on it.
 *
 * An update rejects with a `RedisStoreError` when Redis cannot be reached, refuses to save, or has not decided within
 * `timeoutMs`; and at once while Redis leaves calls unanswered. A rejected request may yet be counted, within a second,
 * and then counts like an admitted one.
 *
 * Never admits too much, as long as the server keeps its data. One that has lost them (restarted, flushed, or failed
 * over to a replica that was behind) may admit up to one more limit a key, each time. Keys expire on the server, two
 * seconds after their states.
 *
 * @throws RangeError when `timeoutMs` is not above 0, or `maxRecentKeys` is not a whole number from 1 on
 */
export function redisStore(settings: RedisStoreSettings): Store {
  const known = ["client", "prefix", "timeoutMs", "clock", "onRetry", "maxRecentKeys"];
  requireKnown("redisStore", settings, known);
  const { client, prefix = "limiter:", clock, onRetry = () => {} } = settings;
  const timeoutMs = requirePositive("redisStore: timeoutMs", settings.timeoutMs ?? 80);
  const maxRecentKeys = requireWhole("redisStore: maxRecentKeys", settings.maxRecentKeys ?? 10_000);
  const deadlines = new Deadlines(timeoutMs);
  const calls = new RedisCalls(client, deadlines);
  const shared = {
    calls,
    server: new ServerClock(),
    deadlines,
    nextTag: tagMaker(),
    startSoon,
    onRetry,
  };
  const isInUse = ({ running, waiting }: Key<Batch>) => running !== undefined || waiting !== undefined;
  const keys = new LruCache(maxRecentKeys, (key) => new Key<Batch>(prefix + key), isInUse);
  let starting: Batch[] = [];

  function startSoon(batch: Batch): void {
    if (starting.push(batch) === 1) process.nextTick(startAll);
  }

  function startAll(): void {
    const batches = starting;
    starting = [];
    for (let index = 0; index < batches.length; index += callsPerWrite) {
      const { stream } = client;
      stream?.cork();
      for (const batch of batches.slice(index, index + callsPerWrite)) batch.start();
      stream?.uncork();
    }
  }

  function updateMany<S, R>(names: readonly string[], step: ManyStep<S, R>, callersNow?: number): Promise<R> {
    if (calls.isOpen()) return Promise.reject(new RedisStoreError("Redis does not answer at present"));
    try {
      if (names.length !== 1) requirePossible(names);
      const update = new PendingUpdate(
        names.map((name) => keys.get(name)),
        step,
        callersNow ?? (clock && Math.floor(clock())),
      );
      enqueue(update, shared);
      return update.promise;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  function requirePossible(names: readonly string[]): void {
    requireDistinct(names);
    if (names.length > maxRecentKeys / 2)
      throw new RangeError(`updateMany: ${names.length} keys are more than half of maxRecentKeys`);
    if (!client.isCluster) return;
    const tags = new Set(names.map((name) => hashTag(prefix + name)));
    if (tags.size > 1)
      throw new RangeError(
        'updateMany: on Redis Cluster the keys must share a hash tag, e.g. by redisStore\'s prefix "{limiter}:", ' +
          `but are ${JSON.stringify(names.map((name) => prefix + name))}`,
      );
  }

  return storeFrom(updateMany);
}

/** The part of a key by which Redis Cluster chooses its server. */
function hashTag(key: string): string {
  return /^[^{]*\{([^}]+)\}/.exec(key)?.[1] ?? key;
}
