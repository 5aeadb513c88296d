/**
 * Real second processes for tests.
 * A TypeScript file run by this Node, as the app's own commands are.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface Child {
  /** Every whole line that it has printed so far. */
  lines: string[];
  /** Resolves when it has printed this many lines, or has ended. */
  printed(count: number): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /**
   * Resolves when it has ended and all it printed has arrived.
   * Rejects when it ended by itself with a failure.
   */
  ended: Promise<void>;
}

/** Node.js options of the app's own programs. */
export const nodeOptions = ["--import", "./scripts/drizzle-resolve-hook.mjs"] as const;

/**
 * The environment of a child process, with these variables.
 * Without the Node.js options of the tests' own processes, and without a token of the service.
 */
export function childEnvironment(variables: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, LIMITER_TOKEN: __, ...environment } = process.env;
  return { ...environment, ...variables };
}

/** Runs `file` with `args`. Its standard error becomes the failure's message. */
export function runChild(file: string, args: readonly string[]): Child {
  const child = spawn(process.execPath, [...nodeOptions, file, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: childEnvironment(),
  });
  const lines: string[] = [];
  const waiting = new Set<{ count: number; resolve: () => void }>();
  let errors = "";
  let closed = false;
  child.stderr.on("data", (chunk) => {
    errors += String(chunk);
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    for (const waiter of waiting) if (lines.length >= waiter.count) waiter.resolve();
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      closed = true;
      for (const { resolve } of waiting) resolve();
      if (code === 0 || signal !== null) resolve();
      else reject(new Error(`${file} ended with ${code}: ${errors}`));
    });
  });
  return {
    lines,
    printed: async (count) => {
      if (lines.length >= count || closed) return;
      await new Promise<void>((resolve) => void waiting.add({ count, resolve }));
    },
    kill: (signal) => void child.kill(signal),
    ended,
  };
}
