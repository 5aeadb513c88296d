/**
 * A whole Weir on one machine: PostgreSQL, Redis, nodes, and nginx in front.
 * Real parts, each on a free port. All of it is gone with the process that started it, however that ends.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "./free-port.ts";
import { type NginxServer, startNginx } from "./start-nginx.ts";
import { type PostgresServer, startPostgres } from "./start-postgres.ts";
import { type RedisServer, startRedis } from "./start-redis.ts";

export type NodeSettings = Record<string, string>;

interface Node {
  /** Where it answers itself, without nginx. */
  readonly origin: string;
  /** Its log since its last start, a JSON object a line. */
  readonly log: readonly string[];
  readonly pid: number;
  readonly isRunning: boolean;
  /** Ends it as a power failure does. */
  kill9(): Promise<void>;
  /** Sends SIGTERM and resolves to its exit code. */
  terminate(): Promise<number | null>;
  /** Starts it again, at the same place, and resolves when it answers. */
  start(settings?: NodeSettings): Promise<void>;
}

export interface Cluster {
  /** nginx's address, for visitors. */
  readonly origin: string;
  readonly nodes: readonly Node[];
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  readonly nginx: NginxServer;
  /** The settings that all nodes share. */
  readonly settings: Readonly<NodeSettings>;
  /** Ends all parts, in the order in which nothing is lost. */
  stop(): Promise<void>;
}

/**
 * Starts a cluster of built nodes: the app has been built before.
 * `settings` are the nodes' own, besides those that make them a cluster; `postgresSettings` the database server's.
 *
 * @throws Error with the output of the part that does not start; the others have ended by then
 */
export async function startCluster({
  nodeCount = 2,
  settings = {},
  postgresSettings = {},
}: {
  nodeCount?: number;
  settings?: NodeSettings;
  postgresSettings?: Record<string, string>;
} = {}): Promise<Cluster> {
  const started: { stop(): Promise<unknown> }[] = [];
  const keep = <Part extends { stop(): Promise<unknown> }>(part: Part): Part => {
    started.push(part);
    return part;
  };
  const stop = async () => {
    // In front first: no request reaches a part that is ending.
    for (const part of started.splice(0).toReversed()) await part.stop();
  };
  try {
    const postgres = keep(await startPostgres({ settings: postgresSettings }));
    const redis = keep(await startRedis());
    const media = mkdtempSync(join(tmpdir(), "weir-media-"));
    keep({ stop: () => rm(media, { recursive: true, force: true }) });
    const shared: NodeSettings = {
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      NODES: `${nodeCount}`,
      MEDIA_FOLDER: media,
      DATABASE_URL: await postgres.newDatabase(),
      LIMITER_STORE: "redis",
      REDIS_URL: redis.url,
      AUTH_SECRET: randomBytes(32).toString("base64url"),
      NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      TRUSTED_PROXY_HOPS: "1",
      ...settings,
    };
    const places = await Promise.all(Array.from({ length: nodeCount }, freePort));
    // At once: they meet a database without tables.
    const nodes = await Promise.all(places.map(async (port) => keep(await startNode(port, shared))));
    const nginx = keep(await startNginx(places.map((port) => `127.0.0.1:${port}`)));
    return { origin: nginx.origin, nodes, postgres, redis, nginx, settings: shared, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startNode(port: number, shared: NodeSettings): Promise<Node & { stop(): Promise<unknown> }> {
  const origin = `http://127.0.0.1:${port}`;
  let running = run(port, shared);
  await running.isReady;
  return {
    origin,
    get log() {
      return running.log;
    },
    get pid() {
      return running.pid;
    },
    get isRunning() {
      return running.isRunning();
    },
    async kill9() {
      await running.end("SIGKILL");
    },
    terminate: () => running.end("SIGTERM"),
    async start(settings = {}) {
      running = run(port, { ...shared, ...settings });
      await running.isReady;
    },
    // As a Ctrl-C does: nothing is waited for that might yet come.
    stop: () => running.end("SIGINT"),
  };
}

function run(port: number, settings: NodeSettings) {
  const server = ["--import", "./scripts/stop-with-parent.mjs", "server/index.ts"];
  // Detached: a Ctrl-C is for this process, which ends its nodes in order.
  const child = spawn(process.execPath, server, {
    env: { ...process.env, ...settings, HOST: "127.0.0.1", PORT: `${port}` },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const exit = once(child, "exit");
  const log: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => log.push(line));
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    await exit;
    return child.exitCode;
  };
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const answering = async () => {
    while (!(await answers(port))) {
      if (isRunning()) continue;
      await exit;
      throw new Error(`A node on port ${port} ended with ${child.exitCode}:\n${log.join("\n")}`);
    }
  };
  return { pid: child.pid ?? 0, log, end, isRunning, isReady: answering() };
}

/** Whether a node serves requests; resolves a little later when it does not. */
async function answers(port: number): Promise<boolean> {
  try {
    const { status } = await fetch(`http://127.0.0.1:${port}/healthz`, {
      redirect: "manual",
      // A connection that is kept would have to be waited for when the node ends.
      headers: { Connection: "close" },
    });
    if (status === 200) return true;
  } catch {
    // Not yet.
  }
  await new Promise((later) => setTimeout(later, 20));
  return false;
}
