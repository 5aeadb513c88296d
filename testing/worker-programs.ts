/** The programs that the server starts as threads and processes, from its code. */
import { execFileSync } from "node:child_process";

/** Their paths in this repository: no import leads to them. */
export function workerPrograms(): string[] {
  const grep = [
    "grep",
    "-hoE",
    "--untracked",
    'process\\.cwd\\(\\), "[^"]+\\.ts"',
    "--",
    "lib",
    "db",
    "server",
    "app",
  ];
  const found = execFileSync("git", [...grep, ":!*.test.ts"], { encoding: "utf8" });
  return [...found.matchAll(/"([^"]+)"/g)].map(([, path = ""]) => path).toSorted();
}
