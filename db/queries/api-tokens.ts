import { and, desc, eq, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";

const { placeholder } = sql;

export type NewApiToken = Omit<Tables["apiTokens"]["$inferSelect"], "id" | "lastUsedAt">;

export function apiTokenQueries({ statements, tables: { apiTokens } }: Dialect) {
  const byHash = statements
    .select()
    .from(apiTokens)
    .where(eq(apiTokens.tokenHash, placeholder("tokenHash")))
    .prepare("API token by hash");
  return {
    byHash: async (tokenHash: string) => (await byHash.execute({ tokenHash }))[0],
    /** A user's tokens, the newest first. */
    ofUser: (userId: number) =>
      statements.select().from(apiTokens).where(eq(apiTokens.userId, userId)).orderBy(desc(apiTokens.id)),
    /**
     * Saves a token; false when its user has one of this name already.
     * Rejects when there is one of this hash.
     */
    async insert(token: NewApiToken) {
      const target = [apiTokens.userId, apiTokens.name];
      const inserted = statements.insert(apiTokens).values(token).onConflictDoNothing({ target });
      return (await inserted.returning({ id: apiTokens.id })).length > 0;
    },
    async setLastUsedAt(id: number, lastUsedAt: number) {
      await statements.update(apiTokens).set({ lastUsedAt }).where(eq(apiTokens.id, id));
    },
    /** Removes a token when it is this user's. */
    async remove(id: number, userId: number) {
      await statements.delete(apiTokens).where(and(eq(apiTokens.id, id), eq(apiTokens.userId, userId)));
    },
    async removeAllOf(userId: number) {
      await statements.delete(apiTokens).where(eq(apiTokens.userId, userId));
    },
  };
}
