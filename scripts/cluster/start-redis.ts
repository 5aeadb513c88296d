/**
 * Starts Redis servers on this machine.
 * Each on a free port of this machine, keeping nothing on the disk, and gone with the process that started it,
 * however that ends.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import findRedis, { installHint } from "../find-redis.mjs";
import { freePort } from "./free-port.ts";

export interface RedisServer {
  url: string;
  port: number;
  /** Suspends it, and returns once it is stopped; its connections stay open. */
  pause(): void;
  resume(): void;
  /** Ends it at once, paused or not. Nothing happens when it has ended. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, on the same port, empty. */
  restart(): Promise<void>;
  /** Makes it a replica of another, and resolves when it has the other's data. */
  follow(master: RedisServer): Promise<void>;
  /** Resolves when it has all that the other has by now. */
  caughtUpWith(master: RedisServer): Promise<void>;
  /** Makes it a master again, with the data that it has. */
  promote(): Promise<void>;
  /**
   * Sends commands, one a line.
   * Resolves to the raw answers, rejects when the first one is an error.
   */
  send(commands: string): Promise<string>;
  /** Ends it, in any state. */
  stop(): Promise<void>;
}

/**
 * With `cluster`, a server that could be part of one, and has no slots yet.
 *
 * @throws Error that names the package to install when there is no server, or with its log when it does not start
 */
export async function startRedis({
  cluster = false,
  password = "",
  options: further = [],
}: {
  cluster?: boolean;
  password?: string;
  options?: readonly string[];
} = {}): Promise<RedisServer> {
  const protection = password === "" ? [] : ["--requirepass", password];
  // Without a port of its own the cluster's is 10,000 higher, which a connection may have.
  const clusterOptions = async () => [
    ...["--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1"],
    ...["--cluster-port", `${await freePort()}`],
  ];
  const options = cluster ? await clusterOptions() : [...protection, ...further];
  const port = await freePort();
  let running = await run(port, options);
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pause: () => suspend(running.pid),
    resume: () => void process.kill(running.pid, "SIGCONT"),
    kill: () => running.end(),
    restart: async () => {
      running = await run(port, options);
    },
    follow: async (master) => {
      await sendCommands(port, `REPLICAOF 127.0.0.1 ${master.port}`);
      while (!(await sendCommands(port, "INFO replication")).includes("master_link_status:up"))
        await sleep(5);
    },
    caughtUpWith: async (master) => {
      const offset = async (of: number) =>
        /master_repl_offset:(\d+)/.exec(await sendCommands(of, "INFO replication"))?.[1];
      const goal = Number(await offset(master.port));
      while (Number(await offset(port)) < goal) await sleep(5);
    },
    promote: async () => void (await sendCommands(port, "REPLICAOF NO ONE")),
    send: (commands) => sendCommands(port, commands),
    stop: () => running.end(),
  };
}

/**
 * The signal takes effect a moment after it was sent.
 * Until then the process may answer one more command.
 */
function suspend(pid: number): void {
  process.kill(pid, "SIGSTOP");
  if (process.platform === "linux") while (!/\) T /.test(readFileSync(`/proc/${pid}/stat`, "utf8")));
}

/** Sends one command, as words without spaces. Resolves to the raw answer. */
async function sendCommands(port: number, command: string): Promise<string> {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  socket.write(`${command}\r\nQUIT\r\n`);
  let answer = "";
  for await (const text of socket) answer += String(text);
  if (answer.startsWith("-")) throw new Error(`Redis refused ${command}: ${answer}`);
  return answer;
}

// The shell's input ends with this process, if not before; then the server ends, even when it is paused, and its folder goes.
const untilInputEnds = `cd "$1"; shift; : >log; "$@" >>log 2>&1 & echo $!; cat >/dev/null; kill -9 $!; wait; rm -r "$PWD"`;

async function run(port: number, options: string[]) {
  const program = findRedis();
  if (program === undefined) throw new Error(installHint);
  const folder = mkdtempSync(join(tmpdir(), "weir-redis-"));
  const server = [program, "--port", `${port}`, "--bind", "127.0.0.1", "--save", "", ...options];
  // Detached: a Ctrl-C is for this process, whose end is the server's.
  const shell = spawn("sh", ["-c", untilInputEnds, "sh", folder, ...server], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const end = async () => {
    if (shell.exitCode !== null) return;
    const exit = once(shell, "exit");
    shell.stdin.end();
    await exit;
  };
  const [pid] = await once(shell.stdout, "data");
  for (;;) {
    const logged = readFileSync(join(folder, "log"), "utf8");
    if (logged.includes("Ready to accept connections")) return { pid: Number(pid), end };
    if (/aborting|fatal/i.test(logged)) {
      await end();
      throw new Error(`${program} did not start on port ${port}:\n${logged}`);
    }
    await sleep(5);
  }
}
