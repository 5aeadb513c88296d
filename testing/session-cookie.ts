import { encode } from "next-auth/jwt";
import type { Database } from "../db/index.ts";
import { startSession } from "../lib/sessions/index.ts";

const name = "authjs.session-token";

/** The cookie of a log-in over http, for a session started without a password. */
export async function sessionCookie(database: Database, secret: string, userId: number): Promise<string> {
  const sessionToken = await database.transaction(() =>
    startSession(database, { userId, now: database.time() }),
  );
  return `${name}=${await encode({ token: { sessionToken }, secret, salt: name })}`;
}
