/** Account management by the operator, for `npm run user`. */
import type { Database, UserRow } from "../../db/index.ts";
import { queueMail } from "../mail/outbox.ts";
import { type Invalid, validate } from "../validation.ts";
import { passwordHasher } from "./password.ts";
import { setPasswordAndEndAccess } from "./password-reset.ts";
import { operator, type Role, setRole } from "./roles.ts";
import { comparisonKey, passwordResetSchema } from "./schema.ts";
import type { AccountContext, DatabaseContext } from "./types.ts";
import { weaknessOf } from "./weak-passwords.ts";

export { createAccount } from "./new-account.ts";

export type Managed =
  | { kind: "done"; username: string }
  | { kind: "no-such-user" }
  /** No administrator who can log in would be left. */
  | { kind: "last-administrator" };

/** Gives a user a role, or takes it away. */
export function setRoleByOperator(
  { database }: DatabaseContext,
  { username, role, given, now }: { username: string; role: Role; given: boolean; now: number },
): Promise<Managed> {
  return manage(database, username, role === "administrator" && !given, (user) =>
    setRole(database, { user, role, given, by: operator, now }),
  );
}

/** Sets a password, and ends all of the user's sessions and API tokens. */
export async function resetPassword(
  { database, mail }: DatabaseContext & Pick<AccountContext, "mail">,
  { username, input, now }: { username: string; input: unknown; now: number },
): Promise<Managed | Invalid> {
  const checked = validate(passwordResetSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { newPassword } = checked.value;
  const owner = await database.users.byUsernameKey(comparisonKey(username));
  const weakness = await weaknessOf(newPassword, { username, email: owner?.email });
  if (weakness) return { kind: "invalid", errors: { newPassword: weakness } };
  const hashed = await passwordHasher().hash(newPassword);
  if (hashed.kind !== "hashed") throw new Error("An operator sets one password at a time");
  return manage(database, username, false, async (user) => {
    await setPasswordAndEndAccess(database, user.id, hashed.hash);
    if (!mail) return;
    const data = { username: user.username, by: "operator" } as const;
    await queueMail(database, { kind: "password-changed", to: user, data, locale: mail.siteLocale, now });
  });
}

/** All accounts in order of registration. */
export async function listUsers({ database }: DatabaseContext) {
  return (await database.users.all()).map(
    ({ username, email, isAdministrator, isModerator, isWriter, disabledAt, createdAt }) => ({
      username,
      email,
      isAdministrator,
      isModerator,
      isWriter,
      isDisabled: disabledAt !== null,
      createdAt,
    }),
  );
}

/**
 * Runs `work` on a user.
 * `takesAway` if the user can no longer act as administrator afterwards.
 */
function manage(
  database: Database,
  username: string,
  takesAway: boolean,
  work: (user: UserRow) => Promise<void>,
): Promise<Managed> {
  return database.transaction(async () => {
    const found = await database.users.byUsernameKey(comparisonKey(username));
    const user = found && (await database.users.lock(found.id));
    if (!user) return { kind: "no-such-user" };
    const counts = user.isAdministrator && user.disabledAt === null;
    if (takesAway && counts && !(await database.users.hasOtherAdministrator(user.id)))
      return { kind: "last-administrator" };
    await work(user);
    return { kind: "done", username: user.username };
  });
}

/** Turns a user's second factor off after its loss, and ends their sessions. */
export function removeSecondFactor(
  { database }: DatabaseContext,
  { username }: { username: string },
): Promise<Managed> {
  return manage(database, username, false, async ({ id }) => {
    await database.secondFactors.remove(id);
    await database.users.endSessions(id);
  });
}
