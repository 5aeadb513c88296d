import type { UserRow } from "../../db/index.ts";
import type { User } from "./types.ts";

/** Converts a row of the database to a user. */
export function toUser({
  id,
  username,
  isAdministrator,
  isModerator,
  isWriter,
  pendingSince,
  mustConfirmEmail,
}: UserRow): User {
  return {
    id,
    username,
    isAdministrator,
    isModerator,
    ...((isWriter || isModerator || isAdministrator) && { isWriter: true }),
    ...(pendingSince !== null && { isPending: true }),
    ...(mustConfirmEmail && { mustConfirmEmail: true }),
  };
}
