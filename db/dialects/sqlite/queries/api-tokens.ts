import { and, desc, eq, sql } from "drizzle-orm";
import type { ApiTokenQueries, NewApiToken, Synchronous } from "../../../types.ts";
import type { Connection } from "../index.ts";
import { apiTokens } from "../schema.ts";

const { placeholder } = sql;

export function apiTokenQueries(connection: Connection): Synchronous<ApiTokenQueries> {
  const byHash = connection
    .select()
    .from(apiTokens)
    .where(eq(apiTokens.tokenHash, placeholder("tokenHash")))
    .prepare();
  return {
    byHash: (tokenHash: string) => byHash.get({ tokenHash }),
    ofUser: (userId: number) =>
      connection
        .select()
        .from(apiTokens)
        .where(eq(apiTokens.userId, userId))
        .orderBy(desc(apiTokens.id))
        .all(),
    insert(token: NewApiToken) {
      const target = [apiTokens.userId, apiTokens.name];
      return connection.insert(apiTokens).values(token).onConflictDoNothing({ target }).run().changes > 0;
    },
    setLastUsedAt(id: number, lastUsedAt: number) {
      connection.update(apiTokens).set({ lastUsedAt }).where(eq(apiTokens.id, id)).run();
    },
    remove(id: number, userId: number) {
      connection
        .delete(apiTokens)
        .where(and(eq(apiTokens.id, id), eq(apiTokens.userId, userId)))
        .run();
    },
  };
}
