/**
 * What the query modules build upon: Drizzle writes a statement once, when the database is opened, and the session runs it
 * where it is asked for, in a transaction or out of one, prepared on each connection at its first use. (Drizzle's own way
 * binds a statement to one client, and has PostgreSQL read and plan it each time.)
 */
import { DrizzleQueryError } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import { unconnectedClient, type Value } from "./connection.ts";
import type { Session } from "./session.ts";

export type Statements = ReturnType<typeof statementsRunBy>;

export function statementsRunBy(session: Session) {
  const unsafe = (text: string, values?: Value[]) => {
    const rows = session.run(text, values);
    return Object.assign(rows, { values: () => rows });
  };
  const client = new Proxy(unconnectedClient(), {
    get: (target, name) => (name === "unsafe" ? unsafe : Reflect.get(target, name)),
  });
  return drizzle(client);
}

/** Queries that reject with what PostgreSQL said: Drizzle's errors quote the values, and an error may be logged. */
export function withPlainErrors<Queries extends object>(queries: Queries): Queries {
  const plain = Object.entries(queries).map(([name, query]) => [
    name,
    async (...values: unknown[]) => {
      try {
        return await query(...values);
      } catch (error) {
        throw error instanceof DrizzleQueryError && error.cause !== undefined ? error.cause : error;
      }
    },
  ]);
  // What each method takes and gives is kept, which a loop over their names cannot say.
  return Object.fromEntries(plain) as Queries;
}
