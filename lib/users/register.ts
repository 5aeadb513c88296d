/** Registration: the people who may register, the challenge, and the limits. */
import { tokenHash } from "../auth/token.ts";
import {
  type Challenge,
  type ChallengeSettings,
  challengeFault,
  isSpent,
  issueChallenge,
  solutionFault,
} from "../challenge/index.ts";
import { checkLimits } from "../limits/check-limits.ts";
import type { Refused } from "../limits/types.ts";
import { currentLocale } from "../request/current-request.ts";
import { startSession } from "../sessions/index.ts";
import type { EmailVerification, WhoMayWrite } from "../site/schema.ts";
import { dayMs } from "../time/units.ts";
import { type Invalid, validate } from "../validation.ts";
import { pendingNetworkHash } from "./approvals.ts";
import { openInvitation } from "./invitations.ts";
import {
  badInvitation,
  type NotOpen,
  prepareAccount,
  type Registered,
  type Taken,
  type Unchallenged,
  usedBefore,
} from "./new-account.ts";
import { type PasswordsBusy, passwordHasher } from "./password.ts";
import type { Confirmation, RegistrationQueued } from "./queued-registrations.ts";
import { recordNetwork, registrationChecks, siteChecks } from "./registration-limits.ts";
import { registrationSchema } from "./schema.ts";
import { isFillingSkeletons, type NamesBusy } from "./skeletons.ts";
import type { AccountContext } from "./types.ts";
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
  whoMayWrite: WhoMayWrite;
  /** When an account needs a confirmed address; never by default. */
  emailVerification?: EmailVerification;
}

/** Whether an invitation gives anything that a person without one has not. */
export function takesInvitations({
  registration: { mode },
  whoMayWrite,
}: Pick<RegistrationContext, "registration" | "whoMayWrite">): boolean {
  return mode === "approval" || mode === "invitation" || whoMayWrite !== "anyone";
}

const purpose = "register";

/**
 * The age from which accounts raise the site's limit.
 * A flood of new ones must not make room for more.
 */
const settledMs = 30 * dayMs;

/** A new challenge to solve for a registration; null where none is needed. */
export async function registrationChallenge(
  { registration }: Pick<RegistrationContext, "registration">,
  now: number,
): Promise<Challenge | null> {
  return registration.challenge && issueChallenge(registration.challenge, purpose, now);
}

/**
 * Creates an account, the first one as administrator, and starts a session.
 * Where the address must be confirmed first, mails the link that does so, also to an address that has an account.
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
  | RegistrationQueued
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
  const invitedBy = takesInvitations(context) ? invitation : undefined;
  if (invitedBy === undefined) {
    if (mode === "invitation") return { kind: "not-open", reason: "invitation-only" };
  } else if (!(await openInvitation(context, invitedBy, now))) return badInvitation;
  const proof = { challenge, solution, mayWait };
  if (registration.challenge) {
    const fault = await challengeFault(registration.challenge, purpose, proof, now);
    if (fault) return { kind: "challenge", fault };
    if (challenge && (await isSpent(database, challenge, now))) return usedBefore;
  }
  if (passwordHasher().isBusy()) return { kind: "passwords-busy" };
  if (await isFillingSkeletons(database)) return { kind: "names-busy" };
  const checks = registrationChecks(limits, address);
  const decided = await checkLimits(guard, { client: { address }, checks, now });
  if (decided.kind !== "allowed") return decided;
  // After the limit: checking a solution costs as much as one step of solving.
  if (registration.challenge) {
    const fault = await solutionFault(registration.challenge, proof, now);
    if (fault) return { kind: "challenge", fault };
  }
  const insertion = await prepareAccount(database, account, {
    now,
    challenge: registration.challenge ? challenge : undefined,
    invitationHash: invitedBy === undefined ? undefined : tokenHash(invitedBy),
    confirmation: confirmationFor(context),
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
          if (made.kind === "registered" || made.kind === "confirmation-sent")
            await recordNetwork(database, address, secret, now);
          return made;
        },
      };
    },
  });
}

/** How the address of a new account is confirmed; undefined when it is not. */
function confirmationFor({
  emailVerification: needed = "off",
  mail,
}: RegistrationContext): Confirmation | undefined {
  return needed === "off" || !mail ? undefined : { needed, mail, locale: currentLocale() };
}
