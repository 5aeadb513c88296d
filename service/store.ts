/**
 * Where the service keeps its limiter states.
 * Memory, an SQLite file, or Redis (or Valkey).
 */
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { memoryStore, type Store } from "../lib/limiter/index.ts";
import { redisClientOptions, redisStore } from "../lib/limiter/redis.ts";
import type { Log } from "../lib/logging/create-log.ts";
import { isRedisUrl } from "../lib/settings/redis-url.ts";

export type StoreSetting =
  | { kind: "memory" }
  /** An absolute path. */
  | { kind: "sqlite"; file: string }
  | { kind: "redis"; url: string };

interface OpenStore {
  store: Store;
  /** A warning, when it cannot be reached yet. */
  warning?: string;
  /** To be called once no request is in flight. */
  close(): Promise<void>;
}

const storeFault =
  "must be memory, sqlite:FILE, or the address of a Redis such as redis://127.0.0.1:6379, or rediss://:password@host:6379/1 (% in a password is %25)";

/**
 * The store of a setting; a file's path is relative to `folder`.
 *
 * @throws RangeError with a correct example, and never with the given value: that may contain a password
 */
export function storeSetting(text: string, folder: string): StoreSetting {
  if (text === "memory") return { kind: "memory" };
  if (isRedisUrl(text)) return { kind: "redis", url: text };
  const [, name = ""] = /^sqlite:(.+)$/.exec(text) ?? [];
  if (name === "") throw new RangeError(storeFault);
  const file = resolve(folder, name);
  if (!isFolder(dirname(file)))
    throw new RangeError(
      `names ${file}, but there is no folder ${dirname(file)}: make it, or name another file`,
    );
  if (isFolder(file)) throw new RangeError(`names ${file}, which is a folder: name a file`);
  return { kind: "sqlite", file };
}

/** Its secrets. */
export function secretsOf(setting: StoreSetting): string[] {
  if (setting.kind !== "redis") return [];
  const { password } = new URL(setting.url);
  return [password, decodeURIComponent(password)];
}

/**
 * Opens the store.
 * A Redis that does not answer within a few seconds is a warning and no failure: each policy's `outage`
 * applies meanwhile, and the connection is retried until it succeeds.
 */
export async function openStore(setting: StoreSetting, log: Log): Promise<OpenStore> {
  switch (setting.kind) {
    case "memory":
      return { store: memoryStore(), close: async () => {} };
    case "sqlite":
      return openSqliteStore(setting.file, log);
    case "redis":
      return openRedisStore(setting.url, log);
  }
}

async function openSqliteStore(file: string, log: Log): Promise<OpenStore> {
  // Loaded when they are needed: a database's parts take their time.
  const [{ openDatabase }, { databaseStore }, { startPruning }] = await Promise.all([
    import("../db/index.ts"),
    import("../db/limiter-store.ts"),
    import("../db/pruning.ts"),
  ]);
  const database = await openDatabase(`file:${file}`);
  const endPruning = startPruning(database, {}, (err) =>
    log.error({ err }, "expired limiter states could not be removed"),
  );
  return {
    store: databaseStore(database),
    async close() {
      await endPruning();
      await database.close();
    },
  };
}

const firstConnectionWithinMs = 3_000;
/**
 * The deadline of a Redis update, in milliseconds.
 * Longer than the blog's, whose pages must not be delayed. Redis still decides the late requests of a busy machine.
 */
const decidedWithinMs = 500;

async function openRedisStore(url: string, log: Log): Promise<OpenStore> {
  const { Redis } = await import("ioredis");
  const client = new Redis(url, redisClientOptions);
  let isReady = false;
  let lastError = "it does not answer";
  client.on("error", (error: Error) => {
    lastError = error.message;
    // An error of the client's carries the command that failed, and that may be the one with the password.
    if (isReady) log.error({ err: new Error(error.message) }, "the connection to Redis is lost");
    isReady = false;
  });
  client.on("close", () => {
    if (isReady) log.error("the connection to Redis is lost");
    isReady = false;
  });
  const first = Promise.withResolvers<void>();
  client.on("ready", () => {
    isReady = true;
    first.resolve();
  });
  const giveUp = setTimeout(first.resolve, firstConnectionWithinMs);
  await first.promise;
  clearTimeout(giveUp);
  // From now on: at the start a warning reports it.
  client.on("ready", () => log.info("connected to Redis"));
  return {
    store: redisStore({ client, timeoutMs: decidedWithinMs }),
    ...(!isReady && {
      warning: `Redis cannot be reached (${lastError}): until it can be, each policy's "outage" applies`,
    }),
    close: async () => client.disconnect(),
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
