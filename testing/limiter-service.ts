/**
 * The limiter as a service, for tests and benchmarks.
 * The real process, on ports that were free.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childEnvironment } from "./child-process.ts";

export interface LimiterServiceOptions {
  /** Its configuration file: text as it stands, or a value that is written as JSON. */
  configuration: string | object;
  /**
   * Further files beside the configuration file, such as those of values.
   * Name and text.
   */
  files?: Record<string, string>;
  /** An existing folder, kept when the service ends, for a second start. */
  folder?: string;
  /** Where it listens; a free port unless set. */
  zmq?: string;
  http?: string;
  env?: Record<string, string>;
  /** Further arguments. */
  args?: readonly string[];
}

export interface LimiterService {
  /** Where it answers over ZeroMQ: "tcp://127.0.0.1:40001". */
  zmq: string;
  /** Where it answers over HTTP: "http://127.0.0.1:40002". */
  http: string;
  pid: number;
  /** Holds the configuration file, "limiter.json", and the files beside it. */
  folder: string;
  configurationFile: string;
  /** All that it has printed so far, to standard output and standard error. */
  output(): string;
  /**
   * Resolves when a line that it has printed matches, to that line.
   * Rejects when it ends before.
   */
  printed(pattern: RegExp): Promise<string>;
  signal(signal: NodeJS.Signals): void;
  /** Ends it at once, as `kill -9` does. */
  kill(): Promise<void>;
  /**
   * Stops it and resolves to its exit code.
   * Null when a signal ended it. To be called at the end of every test.
   */
  stop(): Promise<number | null>;
  /** Resolves to its exit code when it has ended and all its output is read. */
  ended: Promise<number | null>;
}

/** Resolves when it answers. Rejects, with its output, when it ends before that. */
export async function startLimiterService(options: LimiterServiceOptions): Promise<LimiterService> {
  const { configuration, files = {}, env = {}, args = [] } = options;
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "weir-limiter-"));
  const configurationFile = join(folder, "limiter.json");
  const text = typeof configuration === "string" ? configuration : JSON.stringify(configuration, null, 2);
  for (const [name, content] of Object.entries({ ...files, "limiter.json": text }))
    writeFileSync(join(folder, name), content);

  const addresses = ["--zmq", options.zmq ?? "tcp://127.0.0.1:0", "--http", options.http ?? "127.0.0.1:0"];
  const child = spawn(
    process.execPath,
    // Killed with -9, a test's process ends none of its own.
    [
      ...["--import", "./scripts/stop-with-parent.mjs"],
      ...["scripts/limiter.ts", "--config", configurationFile, ...addresses, ...args],
    ],
    {
      cwd: join(import.meta.dirname, ".."),
      env: childEnvironment(env),
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const endWithParent = () => void child.kill("SIGKILL");
  process.once("exit", endWithParent);

  let output = "";
  let hasEnded = false;
  const looking = new Set<() => void>();
  const look = () => {
    for (const each of looking) each();
  };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk) => {
      output += String(chunk);
      look();
    });
  const ended = once(child, "close").then(() => {
    hasEnded = true;
    process.removeListener("exit", endWithParent);
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
    look();
    return child.exitCode;
  });

  const printed = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const lookOnce = () => {
        const lines = output.split("\n").slice(0, -1);
        const found = lines.find((line) => pattern.test(line));
        if (found === undefined && !hasEnded) return;
        looking.delete(lookOnce);
        if (found !== undefined) resolve(found);
        else reject(new Error(`The limiter ended without ${pattern}. It printed:\n${output}`));
      };
      looking.add(lookOnce);
      lookOnce();
    });

  const line = await printed(/^The limiter answers on /);
  const [, zmq = "", http = ""] = /answers on (\S+) and (\S+)$/.exec(line) ?? [];
  return {
    zmq,
    http,
    pid: child.pid ?? 0,
    folder,
    configurationFile,
    output: () => output,
    printed,
    signal: (signal) => void child.kill(signal),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    async stop() {
      child.kill("SIGTERM");
      return ended;
    },
    ended,
  };
}
