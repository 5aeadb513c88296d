/** The commands that operate a blog, for tests: run as a person's shell runs them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

export interface Ended {
  code: number | null;
  output: string;
  errors: string;
}

/** Runs scripts/NAME.ts, or another file there, with these arguments and `input` on its standard input. */
export async function runCommand(
  name: string,
  args: readonly string[],
  { env = {}, input = "" }: { env?: Record<string, string>; input?: string } = {},
): Promise<Ended> {
  const { NODE_OPTIONS: _, ...environment } = process.env;
  const child = spawn(process.execPath, [`scripts/${name.includes(".") ? name : `${name}.ts`}`, ...args], {
    env: { ...environment, ...env },
  });
  child.stdin.end(input);
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, output, errors };
}

/** What a command said with `--json`; throws when that is not exactly one JSON object. */
export function jsonOf({ output }: Ended): Record<string, unknown> {
  const value: unknown = JSON.parse(output);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`It is no object: ${output}`);
  return Object.fromEntries(Object.entries(value));
}
