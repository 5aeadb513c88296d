/** The commands that operate a blog, for tests: run as a person's shell runs them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { vi } from "vitest";
import { childEnvironment, nodeOptions } from "./child-process.ts";

export interface Ended {
  code: number | null;
  output: string;
  errors: string;
}

/** The environment in which this machine's clock is so far ahead for a command. */
export const clockAhead = (aheadMs: number) => ({
  NODE_OPTIONS: `--import=data:text/javascript,((now)=>{Date.now=()=>now()+${aheadMs}})(Date.now)`,
});

/** Runs scripts/NAME.ts, or another file there, with arguments and standard input. */
export async function runCommand(
  name: string,
  args: readonly string[],
  { env = {}, input = "" }: { env?: Record<string, string>; input?: string } = {},
): Promise<Ended> {
  const script = `scripts/${name.includes(".") ? name : `${name}.ts`}`;
  const child = spawn(process.execPath, [...nodeOptions, script, ...args], {
    env: childEnvironment(env),
  });
  child.stdin.end(input);
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, output, errors };
}

let imports = 0;

/**
 * As `runCommand`, within this process, which is quicker.
 * Use it for output that comes before a command reads settings or input. The command's module is loaded anew each time,
 * its imports are not.
 */
export async function runCommandHere(name: string, args: readonly string[]): Promise<Ended> {
  const { argv } = process;
  const [output, errors] = [vi.spyOn(console, "log"), vi.spyOn(console, "error")].map((spy) =>
    spy.mockReturnValue(),
  );
  const textOf = (spy: typeof output) => spy?.mock.calls.map(([line]) => `${line}\n`).join("") ?? "";
  try {
    imports += 1;
    process.argv = [process.execPath, name, ...args];
    await import(new URL(`../scripts/${name}.ts?${imports}`, import.meta.url).href);
    return { code: Number(process.exitCode ?? 0), output: textOf(output), errors: textOf(errors) };
  } finally {
    process.argv = argv;
    process.exitCode = undefined;
    output?.mockRestore();
    errors?.mockRestore();
  }
}

/**
 * A command's output with `--json`.
 * Throws when that is not exactly one JSON object.
 */
export function jsonOf({ output }: Ended): Record<string, unknown> {
  const value: unknown = JSON.parse(output);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`It is not an object: ${output}`);
  return Object.fromEntries(Object.entries(value));
}
