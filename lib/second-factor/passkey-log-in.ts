/** The second step of a log-in with a passkey. */
import type { Database, UserRow } from "../../db/index.ts";
import { isOn } from "./codes.ts";
import { type PasskeyChallenge, spendPasskeyChallenge } from "./passkey-challenge.ts";
import { userOfTicket } from "./ticket.ts";
import { credentialOf, type PasskeySite, requestOptions, verifyAssertion } from "./webauthn.ts";

interface PasskeyContext {
  database: Database;
  secondFactorKey: () => Buffer;
}

/** A pending log-in: its ticket, and the site where passkeys work. */
interface PendingLogIn {
  ticket: string;
  site: PasskeySite | undefined;
  now: number;
}

/** A passkey whose response is right, and whose challenge is not used yet. */
interface VerifiedPasskey {
  id: number;
  counter: number;
  challenge: PasskeyChallenge;
}

/** How a log-in can continue, for its page. */
interface SecondStep {
  /**
   * Options for the browser, as JSON.
   * Undefined when the ticket is not good, or its user has no passkey for this site.
   */
  passkeyOptions: string | undefined;
  /** Whether the user has an authenticator app; true for a bad ticket. */
  hasApp: boolean;
}

export async function secondStepOf(
  { database, secondFactorKey }: PasskeyContext,
  { ticket, site, now }: PendingLogIn,
): Promise<SecondStep> {
  const key = secondFactorKey();
  const user = await userOfTicket(database, ticket, { key, now });
  if (!user) return { passkeyOptions: undefined, hasApp: true };
  const credentials = (await database.passkeys.ofUser(user.id)).map(({ credentialId }) => credentialId);
  return {
    passkeyOptions:
      site && credentials.length > 0
        ? await requestOptions({ site, owner: ownerOf(ticket), key, now }, credentials)
        : undefined,
    hasApp: isOn(await database.secondFactors.totp(user.id)),
  };
}

/** A user's passkey, when the authentication response, as JSON, is right. */
export async function verifyPasskey(
  { database, secondFactorKey }: PasskeyContext,
  user: Pick<UserRow, "id">,
  { response, ticket, site, now }: PendingLogIn & { response: string },
): Promise<VerifiedPasskey | undefined> {
  const credentialId = credentialOf(response);
  const passkey = (await database.passkeys.ofUser(user.id)).find(
    (each) => each.credentialId === credentialId,
  );
  if (!site || !passkey) return undefined;
  const verified = await verifyAssertion(response, passkey, {
    site,
    owner: ownerOf(ticket),
    key: secondFactorKey(),
    now,
  });
  return verified && { id: passkey.id, ...verified };
}

/**
 * Marks the response of a passkey as used.
 * False when it was used before, or the passkey is gone. Call it in a transaction that has locked the user.
 */
export async function consumePasskey(
  database: Database,
  { id, counter, challenge }: VerifiedPasskey,
  now: number,
): Promise<boolean> {
  return (
    (await spendPasskeyChallenge(database, challenge, now)) &&
    (await database.passkeys.use(id, { counter, now }))
  );
}

function ownerOf(ticket: string): string {
  return `log-in ${ticket}`;
}
