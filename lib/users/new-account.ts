/**
 * New accounts, each made in one transaction.
 * Their names, password, invitation and challenge.
 */
import type { Database } from "../../db/index.ts";
import { type Challenge, type ChallengeFault, isSpent, spendChallenge } from "../challenge/index.ts";
import { translator } from "../i18n/index.ts";
import { queueConfirmation } from "../mail/confirm-email.ts";
import { type FieldErrors, type Invalid, validate } from "../validation.ts";
import { type PasswordsBusy, passwordHasher } from "./password.ts";
import { type Confirmation, queueRegistration, type RegistrationQueued } from "./queued-registrations.ts";
import { comparisonKey, newAccountSchema } from "./schema.ts";
import { fillSkeletons } from "./skeletons.ts";
import type { AccountContext, User } from "./types.ts";
import { toUser } from "./user-of-row.ts";
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
  if (outcome.kind !== "registered" && outcome.kind !== "taken")
    throw new Error("An operator's account uses no challenge, invitation and link, and is made by itself");
  return outcome;
}

export const badInvitation: NotOpen = { kind: "not-open", reason: "bad-invitation" };
export const usedBefore: Unchallenged = { kind: "challenge", fault: { fault: "used" } };

type RegistrationOutcome = Registered | RegistrationQueued | Taken | NotOpen | Unchallenged;

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

interface NewAccount {
  username: string;
  email: string;
}

interface AccountOptions {
  byOperator?: boolean;
  isAdministrator?: boolean;
  now: number;
  challenge?: Challenge | undefined;
  /** The hash of the token of an open invitation. */
  invitationHash?: string | undefined;
  /** Set when the account waits for approval; with the hash of its network. */
  approvalFor?: { network: string | undefined } | undefined;
  /** Set when the address must be confirmed, and when. */
  confirmation?: Confirmation | undefined;
  /** Whether the address is confirmed. */
  isConfirmed?: boolean;
}

/** Hashes the password of a new account, unless its name is taken. */
export async function prepareAccount(
  database: Database,
  { username, email, password }: NewAccount & { password: string },
  options: AccountOptions,
): Promise<Insertion | Taken | PasswordsBusy> {
  // After an upgrade, until all names have theirs, a new name could look like one that is not yet compared.
  if ((await database.users.withoutSkeleton(1)).length > 0) await fillSkeletons(database);
  const takenBefore = await takenErrors(database, { username, email }, options);
  if (takenBefore) return takenBefore;
  const hashed = await passwordHasher().hash(password);
  if (hashed.kind !== "hashed") return hashed;
  return accountInsertion(database, { username, email, passwordHash: hashed.hash }, options);
}

/**
 * Why an account cannot have this name or address.
 * Where the address is confirmed first, its owner learns by mail that it is taken.
 */
async function takenErrors(
  database: Database,
  { username, email }: NewAccount,
  { byOperator = false, confirmation, isConfirmed = false, now }: AccountOptions,
): Promise<Taken | undefined> {
  const t = translator("validation");
  const skeletons = skeletonsOf(username);
  const errors: FieldErrors = {};
  if (await database.users.byUsernameKey(comparisonKey(username))) errors.username = [t("username.taken")];
  else if (
    (await database.users.skeletonTaken(skeletons.usernameSkeleton)) ||
    (await database.users.skeletonTaken(skeletons.lowerCaseSkeleton))
  )
    errors.username = [t("username.lookalike")];
  // The first account is the administrator's.
  else if (!byOperator && isReserved(username) && !(await database.users.isFirst()))
    errors.username = [t("username.reserved")];
  const emailKey = comparisonKey(email);
  const { users, mailLinks } = database;
  if (
    confirmation?.needed !== "to-register" &&
    // A person who took an account over must not keep its former address from being restored.
    ((await users.emailTaken(emailKey)) || (!isConfirmed && (await mailLinks.isKept(emailKey, now))))
  )
    errors.email = [t("email.taken")];
  return Object.keys(errors).length > 0 ? { kind: "taken", errors } : undefined;
}

/** The steps that make an account whose password is hashed. */
export function accountInsertion(
  database: Database,
  { username, email, passwordHash }: NewAccount & { passwordHash: string },
  options: AccountOptions,
): Insertion {
  const { isAdministrator = false, now, challenge, invitationHash, approvalFor, confirmation } = options;
  const usernameKey = comparisonKey(username);
  const emailKey = comparisonKey(email);
  const skeletons = skeletonsOf(username);

  // Both may have happened while the password was hashed.
  const conflict = async () => {
    // Each column is unique by itself: the database takes a name as written that looks like another in lower case.
    await database.users.lockSkeletons(skeletons);
    return (
      (await takenErrors(database, { username, email }, options)) ??
      (challenge && (await isSpent(database, challenge, now)) ? usedBefore : undefined)
    );
  };

  const insert = async (): Promise<RegistrationOutcome> => {
    if (challenge && !(await spendChallenge(database, challenge, now))) return usedBefore;
    const isFirst = await database.users.isFirst();
    // The first account is not locked out where mail does not arrive.
    const confirmed = isFirst || isAdministrator ? undefined : confirmation;
    if (confirmed?.needed === "to-register")
      return queueRegistration(database, confirmed, {
        username,
        email,
        emailKey,
        passwordHash,
        invitationHash: invitationHash ?? null,
        pendingNetwork: approvalFor?.network ?? null,
        createdAt: now,
      });
    // After the challenge: a refusal must not use an invitation up.
    const used =
      invitationHash === undefined ? undefined : await database.invitations.use(invitationHash, now);
    if (invitationHash !== undefined && !used) return badInvitation;
    const rights = { isAdministrator: isAdministrator || isFirst };
    const pending = approvalFor && !rights.isAdministrator ? approvalFor : undefined;
    const names = { username, usernameKey, ...skeletons };
    const account = { ...names, email, emailKey, passwordHash, ...rights, createdAt: now };
    const id = await database.users.insert({
      ...account,
      ...(used?.makesWriter && { isWriter: true }),
      ...(pending && { pendingSince: now }),
      ...(pending?.network && { pendingNetwork: pending.network }),
      ...(options.isConfirmed && { emailConfirmedAt: now }),
      ...(confirmed && { mustConfirmEmail: true }),
    });
    if (confirmed)
      await queueConfirmation(database, confirmed.mail, {
        user: { id, email, emailKey },
        locale: confirmed.locale,
        now,
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
      user: toUser({
        id,
        username,
        ...rights,
        isModerator: false,
        isWriter: used?.makesWriter ?? false,
        pendingSince: pending ? now : null,
        mustConfirmEmail: confirmed !== undefined,
      }),
    };
  };
  return { conflict, insert };
}
