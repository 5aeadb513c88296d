/** Counts the commits of an SQLite file. */
import { readFileSync } from "node:fs";
import { databaseFile } from "../db/index.ts";

/**
 * The number of commits in the write-ahead log.
 * The last page of each contains the size of the database at that time.
 */
export function commitsIn(url: string): number {
  const [logHeader, pageHeader, page] = [32, 24, 4096];
  const log = readFileSync(`${databaseFile(url)}-wal`);
  let commits = 0;
  for (let at = logHeader; at < log.length; at += pageHeader + page) {
    if (log.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return commits;
}
