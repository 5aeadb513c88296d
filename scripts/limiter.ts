/** `npm run limiter`: the limiter as a service, over ZeroMQ and HTTP. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Failure } from "../db/failure.ts";
import { isSecondSignal } from "../lib/http/second-signal.ts";
import { createLog } from "../lib/logging/create-log.ts";
import { logLevels } from "../lib/logging/log-levels.ts";
import { httpAddress, type ListenAddress, zeromqAddress } from "../service/addresses.ts";
import type { Service, ServiceSettings } from "../service/start.ts";
import { fileFrom, WrongUsage } from "./operation.ts";

const tokenRule = "at least 32 visible characters";
const usage = `npm run limiter -- [--config FILE] [--zmq ADDRESS] [--http ADDRESS]
npm run limiter -- --check FILE

Rate limits for other programs, over ZeroMQ and HTTP, by the policies and rules of FILE. A change of FILE takes effect
within a second, and on SIGHUP. docs/service.md describes requests and answers.

  --config FILE    JSON, comments allowed; default: limiter.json of this project
  --zmq ADDRESS    default: tcp://127.0.0.1:7777; port 0 takes a free one
  --http ADDRESS   default: 127.0.0.1:7778
  --check FILE     only reports the faults in FILE, each with its line, and starts nothing
  --help           this text

Any address but a loopback address (127.0.0.1, [::1]) requires a token that clients must know: set LIMITER_TOKEN to
${tokenRule}. LOG_LEVEL is one of ${logLevels.join(", ")}; default: info.

Exit codes: 0 ended by SIGTERM or SIGINT, --help, or FILE has no fault; 1 failed; 2 wrong usage.`;

const endWithinMs = 10_000;
let endingSince: number | undefined;

try {
  const values = parsedArguments();
  if (values.help) console.log(usage);
  else if (values.check !== undefined) await check(values.check);
  else await serve(settingsFrom(values));
} catch (error) {
  const isExplained = error instanceof WrongUsage || error instanceof Failure;
  console.error(isExplained ? error.message : error);
  process.exitCode = error instanceof WrongUsage ? 2 : 1;
}

function parsedArguments() {
  try {
    const options = {
      config: { type: "string" },
      zmq: { type: "string", default: "tcp://127.0.0.1:7777" },
      http: { type: "string", default: "127.0.0.1:7778" },
      check: { type: "string" },
      help: { type: "boolean", short: "h" },
    } as const;
    return parseArgs({ options }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The first sentence names the argument.
    const [fault = ""] = error.message.split(/\.?\s*(?:\n|\. |$)/);
    throw new WrongUsage(`${fault}. All options: npm run limiter -- --help`);
  }
}

async function check(name: string): Promise<void> {
  // Loaded when needed: help and wrong usage are answered without it.
  const { configurationReader, faultLines } = await import("../service/configuration/index.ts");
  const reading = await configurationReader(fileFrom(name))();
  if ("faults" in reading) throw new Failure(faultLines(name, reading.faults).join("\n"));
  console.log(`${name} has no fault.`);
}

function settingsFrom({ config, zmq, http }: ReturnType<typeof parsedArguments>): ServiceSettings {
  const { LIMITER_TOKEN: token, LOG_LEVEL: wanted } = process.env;
  const level = logLevels.find((level) => level === (wanted || "info"));
  if (!level) throw new Failure(`LOG_LEVEL must be one of ${logLevels.join(", ")}.`);
  if (token && !/^[!-~]{32,}$/.test(token))
    throw new Failure(`LIMITER_TOKEN must have ${tokenRule}: letters, digits and signs, no spaces.`);

  const addressOf = (option: string, found: ListenAddress | undefined, example: string) => {
    if (!found) throw new WrongUsage(`--${option} must be an address such as ${example}.`);
    if (!found.isLoopback && !token)
      throw new Failure(
        `--${option} ${found.address} can be reached from other machines: set LIMITER_TOKEN to ${tokenRule}, ` +
          "which clients must know too, or listen on 127.0.0.1.",
      );
    return found.address;
  };
  return {
    source:
      config === undefined
        ? { file: join(import.meta.dirname, "..", "limiter.json"), name: "limiter.json" }
        : { file: fileFrom(config), name: config },
    zeromq: addressOf("zmq", zeromqAddress(zmq), "tcp://127.0.0.1:7777 or tcp://[::1]:7777"),
    http: addressOf("http", httpAddress(http), "127.0.0.1:7778 or [::1]:7778"),
    ...(token && { token }),
    logWithout: (secrets) => createLog({ level, secrets }),
  };
}

async function serve(settings: ServiceSettings): Promise<void> {
  // Loaded when needed: help and wrong usage are answered without it.
  const { startService } = await import("../service/start.ts");
  const service = await startService(settings);
  const { log, warnings } = service;
  for (const event of ["uncaughtException", "unhandledRejection"] as const)
    process.on(event, (err: unknown) => {
      log.fatal({ err }, "unexpected error: the limiter ends");
      process.exit(1);
    });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => end(signal, service));
  process.on("SIGHUP", service.reload);
  console.log(`The limiter answers on ${service.zeromq} and ${service.http}`);
  for (const warning of warnings) log.warn(warning);
}

function end(signal: NodeJS.Signals, { close, log }: Service): void {
  if (endingSince !== undefined) {
    if (!isSecondSignal(endingSince, performance.now())) return;
    log.warn(`${signal} again: the limiter ends at once`);
    process.exit(1);
  }
  endingSince = performance.now();
  log.info(`${signal}: the limiter ends; requests in flight are answered`);
  Promise.race([close(), sleep(endWithinMs, "late" as const)]).then(
    (outcome) => {
      if (outcome === "late") log.warn(`requests still in flight after ${endWithinMs / 1_000} s are dropped`);
      process.exit(0);
    },
    (err: unknown) => {
      log.error({ err }, "the limiter's shutdown failed");
      process.exit(1);
    },
  );
}
