import { requirePositive, requireWhole } from "../settings.ts";
import type { Clock, Store, Update } from "../types.ts";
import { RedisCalls, RedisStoreError } from "./redis/calls.ts";
import type { RedisClient } from "./redis/client.ts";
import { Deadlines } from "./redis/deadlines.ts";
import { Lane } from "./redis/lane.ts";
import { RecentlyUsed } from "./redis/recently-used.ts";
import { tagMaker } from "./redis/script.ts";
import { ServerClock } from "./redis/server-clock.ts";
import { WaitingUpdate } from "./redis/waiting-update.ts";

export type RedisStoreSettings = {
  /** Connected to a server or a cluster; see `redisClientOptions`. */
  client: RedisClient;
  /** Begins the names of all keys. "limiter:" unless told. */
  prefix?: string;
  /** How long an update may take, in milliseconds. 80 unless told: a failure is known within a tenth of a second. */
  timeoutMs?: number;
  /** Read when an update brings no time of its own. The server's clock unless told. */
  clock?: Clock;
  /** Told each time that another process has changed a key meanwhile, so that its steps run again. */
  onRetry?: () => void;
  /** Of how many keys the latest state is kept here, to be tried first. 10,000 unless told. */
  maxRecentKeys?: number;
};

/** As many calls are written together: that costs each of them less, and the server begins with these while the next are made. */
const callsPerWrite = 12;

/**
 * States in Redis (5 or newer, or Valkey), shared by any number of processes. A call has one key, so it may be a cluster.
 *
 * An update runs its step on the state that this process saw last; what it yields is saved if the key still has that state, and if not the step runs again, on
 * the state that it has. So a decision is one call of the server, two when somebody else has changed the key, and updates of one key
 * that are under way together share their calls. The time is the server's: machines need not agree on it.
 *
 * An update rejects with a `RedisStoreError` when Redis cannot be reached, refuses to save, or has not decided within `timeoutMs`; and at once while
 * Redis leaves calls unanswered. What was rejected may yet be counted, within a second, and then counts like what was admitted.
 *
 * Never admits too much, as long as the server keeps its data. One that has lost them (restarted, flushed, or failed over to a replica that was behind)
 * may admit up to one more limit a key, each time. Keys expire on the server, two seconds after their states.
 *
 * @throws RangeError when `timeoutMs` is not above 0, or `maxRecentKeys` is no whole number from 1 on
 */
export function redisStore(settings: RedisStoreSettings): Store {
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
  const lanes = new RecentlyUsed(maxRecentKeys, (key) => new Lane(prefix + key, shared));
  let starting: Lane[] = [];

  function startSoon(lane: Lane): void {
    if (starting.push(lane) === 1) process.nextTick(startAll);
  }

  function startAll(): void {
    const lanes = starting;
    starting = [];
    for (let index = 0; index < lanes.length; index += callsPerWrite) {
      const { stream } = client;
      stream?.cork();
      for (const lane of lanes.slice(index, index + callsPerWrite)) lane.start();
      stream?.uncork();
    }
  }

  return {
    update<S, R>(
      key: string,
      step: (state: S | undefined, now: number) => Update<S, R>,
      toldNow?: number,
    ): Promise<R> {
      if (calls.isHung()) return Promise.reject(new RedisStoreError("Redis does not answer at present"));
      try {
        const update = new WaitingUpdate(step, toldNow ?? clock?.());
        lanes.get(key).add(update);
        return update.promise;
      } catch (error) {
        return Promise.reject(error);
      }
    },
  };
}
