/**
 * New accounts, each made in one transaction.
 * Their names, password, invitation and challenge.
 */
import type { Database } from "../../db/index.ts";
import { tokenHash } from "../auth/token.ts";
import { type Challenge, type ChallengeFault, isSpent, spendChallenge } from "../challenge/index.ts";
import { translator } from "../i18n/index.ts";
import { type FieldErrors, validate } from "../validation.ts";
import { type PasswordsBusy, passwordHasher } from "./password.ts";
import { comparisonKey, newAccountSchema } from "./schema.ts";
import { fillSkeletons } from "./skeletons.ts";
import type { AccountContext, Invalid, User } from "./types.ts";
import { isReserved, skeletonsOf } from "./usernames.ts";
import { weaknessOf } from "./weak-passwords.ts";

export type Registered = { kind: "registered"; user: User };
export type Taken = { kind: "taken"; errors: FieldErrors };
/**
 * Registration is closed or needs a valid invitation.
 * The invitation is missing, unknown, used or expired.
 */
export type NotOpen = { kind: "not-open"; reason: "closed" | "invitation-only" | "bad-invitation" };
export type Unchallenged = { kind: "challenge"; fault: ChallengeFault };

/**
 * Creates an account for an operator, without limits or a challenge.
 * Reserved names are allowed; the other rules stay.
 */
export async function createAccount(
  { database }: Pick<AccountContext, "database">,
  { input, isAdministrator, now }: { input: unknown; isAdministrator: boolean; now: number },
): Promise<Registered | Taken | Invalid> {
  const checked = validate(newAccountSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const weakness = await weaknessOf(checked.value.password, checked.value);
  if (weakness) return { kind: "invalid", errors: { password: weakness } };
  const settings = { byOperator: true, isAdministrator, now };
  const insertion = await prepareAccount(database, checked.value, settings);
  const outcome =
    "kind" in insertion
      ? insertion
      : await database.transaction(async () => (await insertion.conflict()) ?? insertion.insert());
  if (outcome.kind === "challenge" || outcome.kind === "not-open" || outcome.kind === "passwords-busy")
    throw new Error("An operator's account uses no challenge and no invitation, and is made by itself");
  return outcome;
}

export const badInvitation: NotOpen = { kind: "not-open", reason: "bad-invitation" };
export const usedBefore: Unchallenged = { kind: "challenge", fault: { fault: "used" } };

type RegistrationOutcome = Registered | Taken | NotOpen | Unchallenged;

/** Two steps of one transaction. */
interface Insertion {
  /**
   * The obstacle to making the account now; writes nothing.
   * No name that looks like it is made before the transaction ends.
   */
  conflict: () => Promise<Exclude<RegistrationOutcome, Registered> | undefined>;
  /** Inserts the account and uses its challenge and its invitation up. */
  insert: () => Promise<RegistrationOutcome>;
}

/** Hashes the password of a new account, unless its name is taken. */
export async function prepareAccount(
  database: Database,
  { username, email, password }: { username: string; email: string; password: string },
  {
    byOperator = false,
    isAdministrator = false,
    now,
    challenge,
    invitation,
    approvalFor,
  }: {
    byOperator?: boolean;
    isAdministrator?: boolean;
    now: number;
    challenge?: Challenge | undefined;
    /** The token of an open invitation. */
    invitation?: string | undefined;
    /** Set when the account waits for approval; with the hash of its network. */
    approvalFor?: { network: string | undefined } | undefined;
  },
): Promise<Insertion | Taken | PasswordsBusy> {
  const usernameKey = comparisonKey(username);
  const emailKey = comparisonKey(email);
  const skeletons = skeletonsOf(username);
  const taken = async (): Promise<Taken | undefined> => {
    const errors: FieldErrors = {};
    const t = translator("validation");
    if (await database.users.byUsernameKey(usernameKey)) errors.username = [t("username.taken")];
    else if (
      (await database.users.skeletonTaken(skeletons.usernameSkeleton)) ||
      (await database.users.skeletonTaken(skeletons.lowerCaseSkeleton))
    )
      errors.username = [t("username.lookalike")];
    // The first account is the administrator's.
    else if (!byOperator && isReserved(username) && !(await database.users.isFirst()))
      errors.username = [t("username.reserved")];
    if (await database.users.emailTaken(emailKey)) errors.email = [t("email.taken")];
    return Object.keys(errors).length > 0 ? { kind: "taken", errors } : undefined;
  };
  // After an upgrade, until all names have theirs, a new name could look like one that is not yet compared.
  if ((await database.users.withoutSkeleton(1)).length > 0) await fillSkeletons(database);
  const takenBefore = await taken();
  if (takenBefore) return takenBefore;
  const hashed = await passwordHasher().hash(password);
  if (hashed.kind !== "hashed") return hashed;

  // Both may have happened while the password was hashed.
  const conflict = async () => {
    // Each column is unique by itself: the database takes a name as written that looks like another in lower case.
    await database.users.lockSkeletons(skeletons);
    return (
      (await taken()) ?? (challenge && (await isSpent(database, challenge, now)) ? usedBefore : undefined)
    );
  };

  const insert = async (): Promise<RegistrationOutcome> => {
    if (challenge && !(await spendChallenge(database, challenge, now))) return usedBefore;
    // After the challenge: a refusal must not use an invitation up.
    const used =
      invitation === undefined ? undefined : await database.invitations.use(tokenHash(invitation), now);
    if (invitation !== undefined && !used) return badInvitation;
    const isFirst = await database.users.isFirst();
    const rights = { isAdministrator: isAdministrator || isFirst };
    const pending = approvalFor && !rights.isAdministrator ? approvalFor : undefined;
    const names = { username, usernameKey, ...skeletons };
    const account = { ...names, email, emailKey, passwordHash: hashed.hash, ...rights, createdAt: now };
    const id = await database.users.insert({
      ...account,
      ...(used?.makesWriter && { isWriter: true }),
      ...(pending && { pendingSince: now }),
      ...(pending?.network && { pendingNetwork: pending.network }),
    });
    if (used) {
      await database.invitations.setUser(used.id, id);
      await database.accountChanges.record(
        { kind: "use-invitation", at: now, actor: "owner", byUserId: null, why: used.note },
        [{ userId: id, deciders: 0 }],
      );
    }
    return {
      kind: "registered",
      user: {
        id,
        username,
        ...rights,
        isModerator: false,
        ...((used?.makesWriter || rights.isAdministrator) && { isWriter: true }),
        ...(pending && { isPending: true }),
      },
    };
  };
  return { conflict, insert };
}
