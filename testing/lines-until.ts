/** For processes to be killed in the middle of long work, at any speed. */
import { writeSync } from "node:fs";

const waitAtMostMs = 60_000;

/**
 * Prints a line for each step, and pauses after the given number.
 * The pause lasts until a kill, or for a minute.
 */
export function linesUntil(last: number): (stage: string, done: number, total: number) => void {
  let lines = 0;
  return (stage, done, total) => {
    writeSync(1, `${stage} ${done} ${total}\n`);
    lines += 1;
    if (lines === last) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitAtMostMs);
  };
}
