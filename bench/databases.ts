/** Real database files for the benchmarks, with thousands of people and posts. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Database as Sqlite } from "better-sqlite3";

/**
 * Not the system's folder for temporary files, which may be in memory.
 * A commit is to wait for a disk.
 */
const parent = resolve(".cache/bench");

/** Calls `work` with a new folder, which is removed when the work ends. */
export async function inFolder<T>(work: (folder: string) => T | Promise<T>): Promise<T> {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "run-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The earliest time in these databases. */
export const morning = Date.UTC(2026, 2, 1, 9);

/**
 * Fills tables without waiting for the disk, in one transaction.
 * The setting is as before when it returns.
 */
export function fill(sqlite: Sqlite, work: () => void): void {
  const synchronous = sqlite.pragma("synchronous", { simple: true });
  sqlite.pragma("synchronous = OFF");
  sqlite.transaction(work)();
  sqlite.pragma("wal_checkpoint(TRUNCATE)");
  sqlite.pragma(`synchronous = ${synchronous}`);
}

/** Users with the numbers from `first` to `last`; they cannot log in. */
export function addUsers(sqlite: Sqlite, last: number, first = 1): void {
  sqlite
    .prepare(
      `with recursive number(n) as (select ? union all select n + 1 from number where n < ?)
       insert into users (id, username, username_key, email, email_key, password_hash, created_at)
       select n, name, name, name || '@example.org', name || '@example.org', 'none', ?
       from (select n, printf('user-%08d', n) as name from number)`,
    )
    .run(first, last, morning);
}

/** A post of the first user; returns its number. */
export function addPost(sqlite: Sqlite, slug: string): number {
  const { lastInsertRowid } = sqlite
    .prepare("insert into posts (slug, title, author_id, created_at, updated_at) values (?, ?, 1, ?, ?)")
    .run(slug, `The post ${slug}`, morning, morning);
  return Number(lastInsertRowid);
}
