/**
 * What the commands that operate a blog have in common: how they are asked, what they say, and how they end.
 *
 * Exit codes: 0 done; 1 failed, or faults were found; 2 it was asked for in a wrong way. With `--json` there is exactly one
 * JSON object on standard output; a progress bar is on standard error, where that is a terminal.
 */
import { resolve } from "node:path";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { SingleBar } from "cli-progress";

/** It was asked for in a wrong way. */
export class WrongUsage extends Error {
  override name = "WrongUsage";
}

export interface Outcome {
  /** False where faults were found. */
  ok?: boolean;
  /** What a machine is told. */
  json: Record<string, unknown>;
  /** What a person is told. */
  lines: readonly string[];
}

const commonOptions = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
const commonHelp = `  --json    one JSON object on standard output, for programs
  --help    this text

Exit codes: 0 done; 1 failed, or faults were found; 2 wrong usage.`;

export type Values<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options & typeof commonOptions; allowPositionals: true }>
>["values"];

/** Runs a command as its arguments ask for, says what came of it, and sets the process's exit code. */
export async function operation<const Options extends ParseArgsOptionsConfig>({
  usage,
  options,
  run,
}: {
  usage: string;
  options: Options;
  run: (positionals: string[], values: Values<Options>) => Promise<Outcome>;
}): Promise<void> {
  const asJson = process.argv.includes("--json");
  try {
    const { values, positionals } = parsed(options);
    if (process.argv.includes("--help") || process.argv.includes("-h")) {
      console.log(`${usage}\n${commonHelp}`);
      return;
    }
    const { ok = true, json, lines } = await run(positionals, values);
    console.log(asJson ? JSON.stringify({ ok, ...json }) : lines.join("\n"));
    if (!ok) process.exitCode = 1;
  } catch (error) {
    const message = await messageOf(error);
    if (asJson) console.log(JSON.stringify({ ok: false, error: message ?? String(error) }));
    if (message === undefined) console.error(error);
    else if (!asJson)
      console.error(error instanceof WrongUsage ? `${message}\n\n${usage}\n${commonHelp}` : message);
    process.exitCode = error instanceof WrongUsage ? 2 : 1;
  }
}

/** The file that was named, as seen from where the command was given. */
export function fileFrom(path: string | undefined): string {
  if (!path) throw new WrongUsage("FILE is missing.");
  return resolve(process.env.INIT_CWD ?? "", path);
}

/** Shows how far each stage of some work has come; `stop` when it is over. */
export function progress() {
  let bar: SingleBar | undefined;
  let current: string | undefined;
  return {
    show(stage: string, done: number, total: number): void {
      if (!process.stderr.isTTY) return;
      if (stage !== current) {
        bar?.stop();
        bar = new SingleBar({ format: `${stage.padEnd(9)} [{bar}] {percentage}%`, stream: process.stderr });
        bar.start(total, done);
        current = stage;
      }
      bar?.setTotal(total);
      bar?.update(done);
    },
    stop: () => bar?.stop(),
  };
}

function parsed<Options extends ParseArgsOptionsConfig>(options: Options) {
  try {
    return parseArgs({ options: { ...options, ...commonOptions }, allowPositionals: true });
  } catch (error) {
    // Its own messages say which argument is meant.
    if (error instanceof TypeError) throw new WrongUsage(error.message);
    throw error;
  }
}

/** What explains the error in one line; undefined for one that nobody expected. */
async function messageOf(error: unknown): Promise<string | undefined> {
  if (!(error instanceof Error)) return undefined;
  if (["WrongUsage", "Failure", "SettingsError"].includes(error.name)) return error.message;
  // The system's own, of a file: its message names the fault and the file.
  if ("syscall" in error && "path" in error) return `${error.message}.`;
  const { isUnavailable } = await import("../db/index.ts");
  return isUnavailable(error) ? `The database cannot be used: ${error.message}.` : undefined;
}
