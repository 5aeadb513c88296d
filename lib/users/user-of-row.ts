import type { UserRow } from "../../db/index.ts";
import type { User } from "./types.ts";

type UserColumns = Pick<
  UserRow,
  "id" | "username" | "isAdministrator" | "isModerator" | "isWriter" | "pendingSince" | "mustConfirmEmail"
>;

/** Converts a row of the database to a user. */
export function toUser({
  id,
  username,
  isAdministrator,
  isModerator,
  isWriter,
  pendingSince,
  mustConfirmEmail,
}: UserColumns): User {
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

/** An administrator who has no role, because a required second factor is missing. */
export function withoutRoles(user: User): User {
  return { ...user, isAdministrator: false, isModerator: false, lacksSecondFactor: true };
}
