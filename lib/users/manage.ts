/** What whoever operates the site may do to any account, without being logged in: for the command `npm run user`. */
import type { Database, UserRow } from "../../db/index.ts";
import { validate } from "../validation.ts";
import type { Invalid } from "./index.ts";
import { hashPassword } from "./password.ts";
import { comparisonKey, passwordResetSchema } from "./schema.ts";

export { createAccount } from "./register.ts";

type Context = { database: Database };

export type Managed =
  | { kind: "done"; username: string }
  | { kind: "no-such-user" }
  /** Nobody would be an administrator who can log in. */
  | { kind: "last-administrator" };

/** Makes a user an administrator, or one no longer. */
export function setAdministrator(
  { database }: Context,
  { username, isAdministrator }: { username: string; isAdministrator: boolean },
): Promise<Managed> {
  return manage(database, username, !isAdministrator, ({ id }) =>
    database.users.setAdministrator(id, isAdministrator),
  );
}

/** Disables a user and ends their sessions, or lets them in again. */
export function setDisabledByOperator(
  { database }: Context,
  { username, disabled, now }: { username: string; disabled: boolean; now: number },
): Promise<Managed> {
  return manage(database, username, disabled, async ({ id }) => {
    await database.users.setDisabledAt(id, disabled ? now : null);
    if (disabled) await database.users.endSessions(id);
  });
}

/** Sets a password, and ends every session of the user. */
export async function resetPassword(
  { database }: Context,
  { username, input }: { username: string; input: unknown },
): Promise<Managed | Invalid> {
  const checked = validate(passwordResetSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const passwordHash = await hashPassword(checked.value.newPassword);
  return manage(database, username, false, ({ id }) =>
    database.users.setPasswordAndEndSessions(id, passwordHash),
  );
}

/** All accounts, in the order in which they registered. */
export async function listUsers({ database }: Context) {
  return (await database.users.all()).map(({ username, email, isAdministrator, disabledAt, createdAt }) => ({
    username,
    email,
    isAdministrator,
    isDisabled: disabledAt !== null,
    createdAt,
  }));
}

/** `takesAway`: whether the user is no administrator afterwards who can log in. */
function manage(
  database: Database,
  username: string,
  takesAway: boolean,
  work: (user: UserRow) => Promise<void>,
): Promise<Managed> {
  return database.transaction(async () => {
    const user = await database.users.byUsernameKey(comparisonKey(username));
    if (!user) return { kind: "no-such-user" };
    const counts = user.isAdministrator && user.disabledAt === null;
    if (takesAway && counts && !(await database.users.hasAdministratorBesides(user.id)))
      return { kind: "last-administrator" };
    await work(user);
    return { kind: "done", username: user.username };
  });
}
