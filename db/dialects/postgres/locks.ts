/**
 * Advisory locks, held until the transaction ends.
 * Each is a number with a meaning in this app only.
 */
import { type SQL, sql } from "drizzle-orm";
import type { NamedLock } from "../../dialect.ts";

const firstUser = 7_377_001;
const administrators = 7_377_002;
export const migrations = 7_377_003;
/** Separates the locks of limiter states from those above and other programs'. */
const limiterStates = 7_377_004;
const siteSettings = 7_377_006;
const imports = 7_377_007;
const mediaFolder = 7_377_008;

export const namedLocks: Record<NamedLock, SQL> = {
  "first user": sql.raw(`select pg_advisory_xact_lock(${firstUser})`),
  administrators: sql.raw(`select pg_advisory_xact_lock(${administrators})`),
  // Of those that share it none excludes another, and all exclude the one above.
  "administrators, shared": sql.raw(`select pg_advisory_xact_lock_shared(${administrators})`),
  "site settings": sql.raw(`select pg_advisory_xact_lock(${siteSettings})`),
  imports: sql.raw(`select pg_advisory_xact_lock(${imports})`),
  "media folder": sql.raw(`select pg_advisory_xact_lock(${mediaFolder})`),
};

/** Separates the locks of texts from those above. */
const texts = 7_377_005;

export function textLock(text: string): SQL {
  return sql`select pg_advisory_xact_lock(hashtextextended(${text}, ${sql.raw(String(texts))}))`;
}

/**
 * Takes a lock for each of an array's keys, in its order.
 * Reads the clock once all are held.
 */
export const lockLimiterStates = `select pg_advisory_xact_lock(hashtextextended(key, ${limiterStates})), (extract(epoch from clock_timestamp()) * 1000)::float8 from unnest($1::text[]) as key`;
