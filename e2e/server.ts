/**
 * A server of a test's own.
 * The built app in a process of its own on a new database, for tests that cannot use the shared server: an empty blog,
 * small limits, an administrator, a crash.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manyAccounts, quickChallenge } from "../testing/registration.ts";

export type ServerSettings = Record<string, string>;

export interface Server {
  /** Where it answers, as `http://localhost:3000`. */
  readonly origin: string;
  readonly databaseUrl: string;
  /** Its output since it was started, its log included. */
  readonly output: string;
  /** Resolves to its exit code when it has ended. */
  readonly ended: Promise<number | null>;
  /** Stops it as an operator does; it answers the requests that have arrived. */
  terminate(): void;
  /** Ends it as a power failure does. */
  kill(): Promise<void>;
  /**
   * Starts it again after `kill`, on the same database; the port is another.
   * With these settings beside its own, until the next start.
   */
  start(settings?: ServerSettings): Promise<void>;
  /** Ends it and removes its database. */
  remove(): Promise<void>;
}

/** Starts a server with these settings; the rest are the app's own. */
export async function newServer(settings: ServerSettings = {}): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), "weir-e2e-server-"));
  const { DATABASE_URL: databaseUrl = `file:${join(folder, "weir.db")}` } = settings;
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    PORT: "0",
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: "a secret of the browser tests only",
    LOG_LEVEL: "error",
    // All people of a test come from one address.
    LIMITS: JSON.stringify(manyAccounts),
    ...quickChallenge,
    ...settings,
  };
  let running = await run(environment);
  return {
    get origin() {
      return running.origin;
    },
    databaseUrl,
    get output() {
      return running.output.text;
    },
    get ended() {
      return running.ended;
    },
    terminate: () => void running.child.kill("SIGTERM"),
    kill: () => end(running.child, "SIGKILL"),
    async start(more = {}) {
      running = await run({ ...environment, ...more });
    },
    async remove() {
      await end(running.child, "SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function run(environment: NodeJS.ProcessEnv): Promise<{
  child: ChildProcess;
  origin: string;
  output: { text: string };
  ended: Promise<number | null>;
}> {
  const child = spawn(process.execPath, ["--import", "./scripts/stop-with-parent.mjs", "server/index.ts"], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { text: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output.text += text;
    // The server's lines of errors: pino's levels 50 and 60.
    if (/"level":[56]0/.test(text)) process.stderr.write(text);
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output.text += text;
    process.stderr.write(text);
  });
  const ended = once(child, "exit").then(() => child.exitCode);
  return { child, output, ended, origin: await announcedOrigin(child) };
}

/** The address that the server prints once it is ready. */
function announcedOrigin(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const fail = () => reject(new Error(`The server did not start: ${output}`));
    child.once("exit", fail);
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const [, origin] = /^Weir is ready on (\S+)$/m.exec(output) ?? [];
      if (!origin) return;
      child.off("exit", fail);
      resolve(origin);
    });
  });
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}
