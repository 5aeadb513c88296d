import type { Database } from "../../db/index.ts";
import type { Refused } from "../limits/guard.ts";
import { type FieldErrors, validate } from "../validation.ts";
import { hashPassword } from "./password.ts";
import { registrationChecks } from "./registration-limits.ts";
import { comparisonKey, registrationSchema } from "./schema.ts";
import type { AccountContext, Invalid, SessionClaim, User } from "./types.ts";

/** Creates an account, the first one as administrator. `address` is the client's. */
export async function register(
  { database, limits, guard }: AccountContext,
  { input, address, now }: { input: unknown; address: string; now: number },
): Promise<Registered | Taken | Refused | Invalid> {
  const checked = validate(registrationSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const refused = await guard.guarded({
    who: { address },
    now,
    plan: async () => ({
      checks: registrationChecks(limits, { address, accounts: await database.users.newestId() }),
      execute: async (verdict) => verdict.refused,
    }),
  });
  if (refused) return refused;
  return insertAccount(database, checked.value, { now });
}

type Registered = { kind: "registered"; user: User; claim: SessionClaim };
type Taken = { kind: "taken"; errors: FieldErrors };

/** Creates an account for an operator: the same rules, no limit. */
export async function createAccount(
  { database }: Pick<AccountContext, "database">,
  { input, isAdministrator, now }: { input: unknown; isAdministrator: boolean; now: number },
): Promise<Registered | Taken | Invalid> {
  const checked = validate(registrationSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  return insertAccount(database, checked.value, { isAdministrator, now });
}

async function insertAccount(
  database: Database,
  { username, email, password }: { username: string; email: string; password: string },
  { isAdministrator = false, now }: { isAdministrator?: boolean; now: number },
): Promise<Registered | Taken> {
  const usernameKey = comparisonKey(username);
  const emailKey = comparisonKey(email);
  const taken = async (): Promise<FieldErrors | undefined> => {
    const errors: FieldErrors = {};
    if (await database.users.byUsernameKey(usernameKey)) errors.username = ["This username is taken."];
    if (await database.users.emailTaken(emailKey)) errors.email = ["There is an account with this email."];
    return Object.keys(errors).length > 0 ? errors : undefined;
  };
  const takenBefore = await taken();
  if (takenBefore) return { kind: "taken", errors: takenBefore };
  const passwordHash = await hashPassword(password);
  return database.transaction(async () => {
    // Checked again: the name may have been taken while the password was hashed.
    const takenMeanwhile = await taken();
    if (takenMeanwhile) return { kind: "taken", errors: takenMeanwhile };
    const isFirst = await database.users.isFirst();
    const rights = { isAdministrator: isAdministrator || isFirst };
    const account = { username, usernameKey, email, emailKey, passwordHash, ...rights, createdAt: now };
    const id = await database.users.insert(account);
    return {
      kind: "registered",
      user: { id, username, ...rights },
      claim: { userId: id, sessionVersion: 1 },
    };
  });
}
