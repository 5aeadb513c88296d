/**
 * Runs other programs so that none of them outlives this one.
 *
 * A signal (Ctrl-C reaches the whole group, `kill` only this process) is passed on to the running programs. Once they
 * have ended this process ends too, so code after `await runChild(…)` never runs after a signal.
 */
import { spawn } from "node:child_process";
import { constants } from "node:os";

const usualGraceMs = 10_000;
const running = new Map();
let stopping;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(signal));
watchNpm();

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, capture?: boolean, takesInput?: boolean, stopWith?: NodeJS.Signals, graceMs?: number, onMessage?: (message: { port?: number, missed?: number }) => void }} [options]
 *   capture: collect the output instead of showing it; takesInput: it reads this process's; stopWith: the signal this program ends cleanly on;
 *   graceMs: how long it has for that; onMessage: open a channel for `process.send` in the child.
 * @returns {Promise<{ code: number, output: string }>} the exit code, 128 + n where signal n ended it
 */
export function runChild(
  command,
  args,
  {
    env = process.env,
    capture = false,
    takesInput = false,
    stopWith,
    graceMs = usualGraceMs,
    onMessage,
  } = {},
) {
  if (stopping) return new Promise(() => {});
  const outputTo = capture ? "pipe" : "inherit";
  const stdio = [takesInput ? "inherit" : "ignore", outputTo, outputTo, ...(onMessage ? ["ipc"] : [])];
  const child = spawn(command, args, { env, stdio });
  running.set(child, { stopWith, graceMs });

  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  if (onMessage) child.on("message", onMessage);

  return new Promise((resolve) => {
    const ended = (exitCode, endedBy) => {
      running.delete(child);
      if (!stopping) resolve({ code: exitCode ?? exitCodeOf(endedBy), output });
      else if (running.size === 0) process.exit(exitCode ?? exitCodeOf(stopping.signal));
    };
    child.once("error", (error) => {
      output += `${command}: ${error.message}\n`;
      if (!capture) console.error(output);
      ended(127);
    });
    // "exit" can come before the end of the output, which is of no use after a signal.
    child.once("close", ended);
    child.once("exit", (...how) => stopping && ended(...how));
  });
}

function stop(signal) {
  if (stopping) {
    // npm passes on a Ctrl-C that has already arrived here: only a later one shortens the wait.
    if (Date.now() - stopping.at > 1_000) killAll();
    return;
  }
  stopping = { signal, at: Date.now() };
  if (running.size === 0) process.exit(exitCodeOf(signal));
  for (const [child, { stopWith }] of running) child.kill(stopWith ?? signal);
  setTimeout(killAll, Math.max(...Array.from(running.values(), ({ graceMs }) => graceMs)));
}

function killAll() {
  for (const child of running.keys()) child.kill("SIGKILL");
}

/** A killed npm cannot pass a signal on: this process then gets another parent. */
function watchNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const npm = process.ppid;
  setInterval(() => process.ppid !== npm && !stopping && stop("SIGTERM"), 1_000).unref();
}

function exitCodeOf(signal) {
  return 128 + constants.signals[signal];
}
