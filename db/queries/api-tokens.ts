import { and, desc, eq, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { ApiTokenQueries } from "../types.ts";

const { placeholder } = sql;

export function apiTokenQueries({ statements, tables: { apiTokens } }: Dialect): ApiTokenQueries {
  const byHash = statements
    .select()
    .from(apiTokens)
    .where(eq(apiTokens.tokenHash, placeholder("tokenHash")))
    .prepare("API token by hash");
  return {
    byHash: async (tokenHash) => (await byHash.execute({ tokenHash }))[0],
    ofUser: (userId) =>
      statements.select().from(apiTokens).where(eq(apiTokens.userId, userId)).orderBy(desc(apiTokens.id)),
    async insert(token) {
      const target = [apiTokens.userId, apiTokens.name];
      const inserted = statements.insert(apiTokens).values(token).onConflictDoNothing({ target });
      return (await inserted.returning({ id: apiTokens.id })).length > 0;
    },
    async setLastUsedAt(id, lastUsedAt) {
      await statements.update(apiTokens).set({ lastUsedAt }).where(eq(apiTokens.id, id));
    },
    async remove(id, userId) {
      await statements.delete(apiTokens).where(and(eq(apiTokens.id, id), eq(apiTokens.userId, userId)));
    },
  };
}
