/** A user's passkeys, as second factors: to add and to remove them. */
import type { AccountContext } from "../users/index.ts";
import { newPasskeySchema, passkeyRemovalSchema } from "../users/schema.ts";
import { validate } from "../validation.ts";
import { hasSecondFactor } from "./codes.ts";
import { type NotConfirmed, type SecondFactorRequest, turnOn, withConfirmedPassword } from "./index.ts";
import { spendPasskeyChallenge } from "./passkey-challenge.ts";
import { creationOptions, type PasskeySite, verifyRegistration } from "./webauthn.ts";

export const passkeysMaximum = 20;

type PasskeyRequest = SecondFactorRequest & { site: PasskeySite };
type TooMany = { kind: "too-many" };

/** Options for the browser to create a passkey, as JSON, if the password is right. */
export async function beginPasskey(
  context: AccountContext,
  request: PasskeyRequest,
): Promise<{ kind: "begun"; options: string } | TooMany | NotConfirmed> {
  const checked = validate(newPasskeySchema, request.input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { user } = request.session;
  const outcome = await withConfirmedPassword(context, request, async () => ({
    kind: "known" as const,
    passkeys: await context.database.passkeys.ofUser(user.id),
  }));
  if (outcome.kind !== "known") return outcome;
  if (outcome.passkeys.length >= passkeysMaximum) return { kind: "too-many" };
  const known = outcome.passkeys.map(({ credentialId }) => credentialId);
  return { kind: "begun", options: await creationOptions(challengeContext(context, request), user, known) };
}

/**
 * Adds a passkey that the browser has made, when the password is right.
 * Returns the recovery codes, the only copy, when it is the first second factor.
 */
export async function addPasskey(
  context: AccountContext,
  request: PasskeyRequest,
): Promise<
  { kind: "added"; codes: string[] | undefined } | { kind: "wrong-passkey" } | TooMany | NotConfirmed
> {
  const checked = validate(newPasskeySchema, request.input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { name, response = "" } = checked.value;
  const verified = await verifyRegistration(response, challengeContext(context, request));
  if (!verified) return { kind: "wrong-passkey" };
  const { challenge, ...credential } = verified;
  const { session, now } = request;
  const { database } = context;
  const userId = session.user.id;
  return withConfirmedPassword(context, request, async () => {
    if ((await database.passkeys.ofUser(userId)).length >= passkeysMaximum) return { kind: "too-many" };
    const wasOn = await hasSecondFactor(database, userId);
    const isNew =
      (await spendPasskeyChallenge(database, challenge, now)) &&
      (await database.passkeys.insert({ ...credential, userId, name, createdAt: now }));
    if (!isNew) return { kind: "wrong-passkey" };
    return { kind: "added", codes: wasOn ? undefined : await turnOn(database, session, now) };
  });
}

/**
 * Removes a passkey when the password is right.
 * Removing the last second factor removes the recovery codes, too.
 */
export async function removePasskey(
  context: AccountContext,
  request: SecondFactorRequest,
): Promise<{ kind: "removed" } | { kind: "not-found" } | NotConfirmed> {
  const checked = validate(passkeyRemovalSchema, request.input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { passkey } = checked.value;
  const { id } = request.session.user;
  const { database } = context;
  return withConfirmedPassword(context, request, async () => {
    if (!(await database.passkeys.remove(passkey, id))) return { kind: "not-found" };
    if (!(await hasSecondFactor(database, id))) await database.secondFactors.turnOff(id);
    return { kind: "removed" };
  });
}

function challengeContext({ secondFactorKey }: AccountContext, { session, site, now }: PasskeyRequest) {
  return { site, owner: `session ${session.id} ${session.user.id}`, key: secondFactorKey(), now };
}
