/** Lets processes act at the same moment: each returns as soon as all have arrived. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * Waits until `count` processes have called this with the same folder.
 * The folder may be missing, and is otherwise empty.
 */
export function awaitBarrier(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, String(process.pid)), "");
  const parent = process.ppid;
  while (readdirSync(folder).length < count) {
    // Another has died before it arrived, and the test with it.
    if (process.ppid !== parent) throw new Error("The parent process has ended");
    Atomics.wait(sleeper, 0, 0, 1);
  }
}
