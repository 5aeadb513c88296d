/** Makes an account of a registration, with the link in its email. */
import { tokenHash } from "../auth/token.ts";
import { checkLimits } from "../limits/check-limits.ts";
import type { Refused } from "../limits/types.ts";
import { accountInsertion, type NotOpen, type Registered, type Taken } from "./new-account.ts";
import type { RegistrationContext } from "./register.ts";

/** The name of the account that a link makes; undefined when it cannot be used. */
export async function nameToConfirm(
  { database }: Pick<RegistrationContext, "database">,
  token: string,
  now: number,
): Promise<string | undefined> {
  return (await database.pendingRegistrations.open(tokenHash(token), now))?.username;
}

/**
 * Makes the account of a link, once.
 * Starts no session: the person who opened the link need not have chosen the password.
 */
export async function confirmRegistration(
  { database, guard, limits, registration: { mode } }: RegistrationContext,
  { token, address, now }: { token: string; address: string; now: number },
): Promise<Registered | Taken | NotOpen | { kind: "expired" } | Refused> {
  // A token cannot be guessed, so it counts by address only, apart from passwords.
  const checks = [[limits["login.address"], `confirm ${address}`]] as const;
  const counted = await checkLimits(guard, { client: { address }, checks, now });
  if (counted.kind !== "allowed") return counted;
  if (mode === "closed") return { kind: "not-open", reason: "closed" };
  return database.transaction(async () => {
    const found = await database.pendingRegistrations.lock(tokenHash(token), now);
    if (!found) return { kind: "expired" };
    const { invitationHash, pendingNetwork: network } = found;
    if (mode === "invitation" && invitationHash === null)
      return { kind: "not-open", reason: "invitation-only" };
    const insertion = accountInsertion(database, found, {
      now,
      invitationHash: invitationHash ?? undefined,
      approvalFor:
        mode === "approval" && invitationHash === null ? { network: network ?? undefined } : undefined,
      isConfirmed: true,
    });
    const outcome = (await insertion.conflict()) ?? (await insertion.insert());
    if (outcome.kind === "registered") await database.pendingRegistrations.removeOf(found.emailKey);
    if (
      outcome.kind === "challenge" ||
      outcome.kind === "confirmation-sent" ||
      outcome.kind === "unavailable"
    )
      throw new Error("A confirmed registration uses no challenge, and waits for no other link");
    return outcome;
  });
}
