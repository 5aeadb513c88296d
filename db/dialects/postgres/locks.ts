/** Advisory locks, held until the transaction ends. Each is a number that means something to this app alone. */
import { sql } from "drizzle-orm";

const firstUser = 7_377_001;
const administrators = 7_377_002;
export const migrations = 7_377_003;
/** Sets the locks of limiter states apart from those above, and from other programs'. */
const limiterStates = 7_377_004;

export const lockFirstUser = sql`select pg_advisory_xact_lock(${sql.raw(`${firstUser}`)})`;
/** For one who does not care how many there are besides, but that none of them leaves. */
export const lockAdministratorsShared = sql`select pg_advisory_xact_lock_shared(${sql.raw(`${administrators}`)})`;
export const lockAdministrators = sql`select pg_advisory_xact_lock(${sql.raw(`${administrators}`)})`;

/** Takes a lock for each of an array's keys, in its order. */
export const lockLimiterStates = `select pg_advisory_xact_lock(hashtextextended(key, ${limiterStates})) from unnest($1::text[]) as key`;
