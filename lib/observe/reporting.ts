/** This node's rounds: from the server's start on, every fifteen seconds, and at its end. */
import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { hostname } from "node:os";
import { isPostgresUrl } from "../../db/index.ts";
import { limiterStoreParts } from "../app.ts";
import { database } from "../database.ts";
import type { Settings } from "../env.ts";
import { occasionalLog } from "../occasional-log.ts";
import { limitTally } from "./limit-tally.ts";
import { nodeReporting } from "./node-report.ts";
import { createNodeRounds, type NodeRounds } from "./node-rounds.ts";
import { routeClock } from "./route-times.ts";

/** How often a node says how it does, more or less: those that were started together drift apart. */
export const roundEveryMs = 15_000;
const drift = 0.1;
const logEveryMs = 60_000;

// Kept on the global object: the framework may load this module more than once in a process.
const kept: { weirNode?: { id: string; rounds: NodeRounds } } & typeof globalThis = globalThis;

/** Starts the rounds; `version` names the build. `leave` is the last round, at the server's end. */
export function startReporting(
  { DATABASE_URL, LIMITER_STORE, PORT }: Pick<Settings, "DATABASE_URL" | "LIMITER_STORE" | "PORT">,
  version: string | undefined,
): { leave: () => Promise<void> } {
  const id = randomUUID();
  const { poolFigures } = database();
  const rounds = createNodeRounds({
    database: database(),
    node: { id, name: `${hostName()}:${PORT}`, startedAt: Date.now() },
    tally: limitTally(),
    describe: nodeReporting({
      version: version || null,
      databaseKind: isPostgresUrl(DATABASE_URL) ? "PostgreSQL" : "SQLite",
      poolFigures,
      limiterStoreKind: LIMITER_STORE,
      limiterStoreParts: limiterStoreParts(),
      routeClock: routeClock(),
    }),
    report: occasionalLog("how this node does could not be written down; it will be with what follows", {
      everyMs: logEveryMs,
      level: "warn",
    }),
  });
  kept.weirNode = { id, rounds };
  const goOn = async () => {
    await rounds.go(Date.now());
    setTimeout(goOn, roundEveryMs * (1 + drift * (2 * Math.random() - 1))).unref();
  };
  void goOn();
  return { leave: () => rounds.leave(Date.now()) };
}

/** A round of this node's ahead of time, so that what it has counted until now is in the database; resolves to its id. */
export async function reportNow(now: number): Promise<string | undefined> {
  await kept.weirNode?.rounds.go(now);
  return kept.weirNode?.id;
}

/** The machine's name, unless that is an address. */
function hostName(): string {
  const name = hostname();
  return isIP(name) ? "node" : name;
}
