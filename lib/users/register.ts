import type { Database } from "../../db/index.ts";
import { tokenHash } from "../auth/token.ts";
import {
  type Challenge,
  type ChallengeFault,
  type ChallengeSettings,
  challengeFault,
  isSpent,
  issueChallenge,
  solutionFault,
  spendChallenge,
} from "../challenge/index.ts";
import { translator } from "../i18n/index.ts";
import type { Refused } from "../limits/types.ts";
import { startSession } from "../sessions/index.ts";
import { type FieldErrors, validate } from "../validation.ts";
import { pendingNetworkHash } from "./approvals.ts";
import { isOpenInvitation } from "./invitations.ts";
import { type PasswordsBusy, passwordHasher } from "./password.ts";
import { addressChecks, rememberNetwork, siteChecks } from "./registration-limits.ts";
import { comparisonKey, newAccountSchema, registrationSchema } from "./schema.ts";
import { fillSkeletons, isFillingSkeletons, type NamesBusy } from "./skeletons.ts";
import type { AccountContext, Invalid, User } from "./types.ts";
import { isReserved, skeletonsOf } from "./usernames.ts";
import { weaknessOf } from "./weak-passwords.ts";

export interface RegistrationSettings {
  /**
   * The people who may register, by the setting.
   * Anyone, anyone after approval, invited people only, or only by the operator.
   */
  mode: "open" | "approval" | "invitation" | "closed";
  /** The key of the network hashes of accounts that wait for approval. */
  networkSecret: () => string;
  /** Null where registering takes no challenge. */
  challenge: ChallengeSettings | null;
}

export interface RegistrationContext extends AccountContext {
  registration: RegistrationSettings;
}

type Registered = { kind: "registered"; user: User };
type Taken = { kind: "taken"; errors: FieldErrors };
/**
 * Registration is closed or needs a valid invitation.
 * The invitation is missing, unknown, used or expired.
 */
export type NotOpen = { kind: "not-open"; reason: "closed" | "invitation-only" | "bad-invitation" };
type Unchallenged = { kind: "challenge"; fault: ChallengeFault };

const purpose = "register";

/**
 * The age from which accounts raise the site's limit.
 * A flood of new ones must not make room for more.
 */
const settledMs = 30 * 86_400_000;

/** A new challenge to solve for a registration; null where none is needed. */
export async function registrationChallenge(
  { registration }: Pick<RegistrationContext, "registration">,
  now: number,
): Promise<Challenge | null> {
  return registration.challenge && issueChallenge(registration.challenge, purpose, now);
}

/**
 * Creates an account, the first one as administrator, and starts a session.
 * `address` is the client's. With `mayWait`, from a form, a challenge that was issued long enough ago needs no
 * solution.
 */
export async function register(
  context: RegistrationContext,
  {
    input,
    address,
    now,
    device,
    mayWait = false,
  }: { input: unknown; address: string; now: number; device?: string; mayWait?: boolean },
): Promise<
  | (Registered & { sessionToken: string })
  | Taken
  | NotOpen
  | Unchallenged
  | PasswordsBusy
  | NamesBusy
  | Refused
  | Invalid
> {
  const { database, limits, guard, registration } = context;
  const { mode } = registration;
  if (mode === "closed") return { kind: "not-open", reason: "closed" };
  const checked = validate(registrationSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { challenge, solution, invitation, ...account } = checked.value;
  const weakness = await weaknessOf(account.password, account);
  if (weakness) return { kind: "invalid", errors: { password: weakness } };
  const invitedBy = mode === "open" ? undefined : invitation;
  if (invitedBy === undefined) {
    if (mode === "invitation") return { kind: "not-open", reason: "invitation-only" };
  } else if (!(await isOpenInvitation(context, invitedBy, now))) return badInvitation;
  const proof = { challenge, solution, mayWait };
  if (registration.challenge) {
    const fault = await challengeFault(registration.challenge, purpose, proof, now);
    if (fault) return { kind: "challenge", fault };
    if (challenge && (await isSpent(database, challenge, now))) return usedBefore;
  }
  if (passwordHasher().isBusy()) return { kind: "passwords-busy" };
  if (await isFillingSkeletons(database)) return { kind: "names-busy" };
  const decided = await guard.run({
    client: { address },
    now,
    plan: async () => ({
      checks: addressChecks(limits, address),
      execute: async ({ refused, decision }) => refused ?? { kind: "allowed" as const, decision },
    }),
  });
  if (decided.kind !== "allowed") return decided;
  // After the limit: checking a solution costs as much as one step of solving.
  if (registration.challenge) {
    const fault = await solutionFault(registration.challenge, proof, now);
    if (fault) return { kind: "challenge", fault };
  }
  const insertion = await prepareAccount(database, account, {
    now,
    challenge: registration.challenge ? challenge : undefined,
    invitation: invitedBy,
    approvalFor:
      mode === "approval" && invitedBy === undefined
        ? { network: pendingNetworkHash(address, registration.networkSecret()) }
        : undefined,
  });
  if ("kind" in insertion) {
    // Only now: the queue has filled up since it was checked.
    if (insertion.kind === "passwords-busy") await guard.refund(decided.decision, now);
    return insertion;
  }
  const insertWithSession = async () => {
    const made = await insertion.insert();
    if (made.kind !== "registered") return made;
    return { ...made, sessionToken: await startSession(database, { userId: made.user.id, device, now }) };
  };
  // An attempt without an account uses nothing of the site's limit, or a single solution could use it up.
  return guard.run<Awaited<ReturnType<typeof insertWithSession>> | Refused>({
    client: { address },
    now,
    plan: async () => {
      const outcome = await insertion.conflict();
      if (outcome) return { outcome };
      // An invitation is rare, so invited people get in while others use the site's limit up.
      if (invitedBy !== undefined) return { checks: [], execute: insertWithSession };
      const accounts = await database.users.newestId(now - settledMs);
      const { limiterStates } = database;
      const secret = registration.networkSecret();
      return {
        checks: await siteChecks({ limits, limiterStates }, { address, secret, accounts, now }),
        execute: async (verdict) => {
          if (verdict.refused) return verdict.refused;
          const made = await insertWithSession();
          if (made.kind === "registered") await rememberNetwork(database, address, secret, now);
          return made;
        },
      };
    },
  });
}

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

const badInvitation: NotOpen = { kind: "not-open", reason: "bad-invitation" };
const usedBefore: Unchallenged = { kind: "challenge", fault: { fault: "used" } };

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
async function prepareAccount(
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
      user: { id, username, ...rights, isModerator: false, ...(pending && { isPending: true }) },
    };
  };
  return { conflict, insert };
}
