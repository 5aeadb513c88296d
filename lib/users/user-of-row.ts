import type { UserRow } from "../../db/index.ts";
import type { User } from "./types.ts";

/** The user that a row of the database is. */
export function toUser({ id, username, isAdministrator, isModerator, pendingSince }: UserRow): User {
  return { id, username, isAdministrator, isModerator, ...(pendingSince !== null && { isPending: true }) };
}
