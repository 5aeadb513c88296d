import { inArray, lte } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";

type LinkTable = Tables["emailChanges"] | Tables["pendingRegistrations"];

/**
 * Removes at most `limit` rows whose link has expired.
 * Resolves to their number.
 */
export async function removeExpired(
  { statements }: Pick<Dialect, "statements">,
  table: LinkTable,
  now: number,
  limit: number,
): Promise<number> {
  const { tokenHash } = table;
  const some = statements.select({ tokenHash }).from(table).where(lte(table.expiresAt, now)).limit(limit);
  return (await statements.delete(table).where(inArray(tokenHash, some)).returning({ tokenHash })).length;
}
