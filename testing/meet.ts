/** Lets processes act at the same moment: each returns as soon as all have arrived. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Waits until `count` processes have called this with the same folder.
 * The folder may be missing, and is otherwise empty.
 */
export function meet(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, String(process.pid)), "");
  while (readdirSync(folder).length < count) {
    // Not asleep: a process that wakes up is late.
  }
}
