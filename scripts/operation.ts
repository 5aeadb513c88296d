/**
 * The frame of the commands that operate a blog: arguments, output, exit code.
 *
 * Exit codes: 0 done; 1 failed, or faults were found; 2 wrong usage. With `--json` there is exactly one
 * JSON object on standard output; a progress bar is on standard error, where that is a terminal.
 */
import { resolve } from "node:path";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { SingleBar } from "cli-progress";

/** The arguments are wrong. */
export class WrongUsage extends Error {
  override name = "WrongUsage";
}

export interface OperationOutcome {
  /** False where faults were found. */
  ok?: boolean;
  /** The output for programs. */
  json: Record<string, unknown>;
  /** The output for people. */
  lines: readonly string[];
}

const commonOptions = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
const commonHelp = `  --json    one JSON object on standard output, for programs
  --help    this text

Exit codes: 0 done; 1 failed, or faults were found; 2 wrong usage.`;

type OptionValues<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options & typeof commonOptions; allowPositionals: true }>
>["values"];

/** Parses the arguments, runs the command, prints its outcome, sets the exit code. */
export async function operation<const Options extends ParseArgsOptionsConfig>({
  usage,
  options,
  run,
}: {
  usage: string;
  options: Options;
  run: (positionals: string[], values: OptionValues<Options>) => Promise<OperationOutcome>;
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

/** The path of FILE, relative to the folder in which the command was entered. */
export function fileFrom(path: string | undefined): string {
  if (!path) throw new WrongUsage("FILE is missing.");
  return resolve(process.env.INIT_CWD ?? "", path);
}

/** A progress bar for each stage of some work; call `stop` at the end. */
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
    // Its own messages name the argument.
    if (error instanceof TypeError) throw new WrongUsage(error.message);
    throw error;
  }
}

/** The error's message in one line; undefined for an unexpected error. */
async function messageOf(error: unknown): Promise<string | undefined> {
  if (!(error instanceof Error)) return undefined;
  if (["WrongUsage", "Failure", "SettingsError"].includes(error.name)) return error.message;
  // The system's own, of a file: its message names the fault and the file.
  if ("syscall" in error && "path" in error) return `${error.message}.`;
  const { isUnavailable } = await import("../db/index.ts");
  return isUnavailable(error) ? `The database cannot be used: ${error.message}.` : undefined;
}
