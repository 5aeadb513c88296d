/**
 * Passkeys by WebAuthn: options for the browser, verification of its response.
 *
 * Attestations with certificates are refused. The site requests none, and to verify one, the library would fetch URLs
 * that the client wrote into it.
 */
import { isIP } from "node:net";
import { z } from "zod";
import { jsonFrom } from "../validation.ts";
import { newPasskeyChallenge, type PasskeyChallenge, readPasskeyChallenge } from "./passkey-challenge.ts";

/** The site that passkeys are made for. */
export interface PasskeySite {
  /** The origin of its pages. */
  origin: string;
  /** The RP id. */
  domain: string;
}

/** The site and owner that a challenge is bound to, and the key that signs it. */
interface ChallengeContext {
  site: PasskeySite;
  owner: string;
  key: Buffer;
  now: number;
}

/** The library takes 27 MB, so it is loaded with the first passkey. */
const library = () => import("@simplewebauthn/server");

/** The maximum length of a browser's response, as JSON. */
export const responseMaximum = 20_000;
/** EdDSA, ES256 and RS256, by their COSE numbers. */
const algorithms = [-8, -7, -257];
const base64url = z.string().regex(/^[\w-]+$/);
/** WebAuthn's shortest id of a credential, in bytes. */
const credentialIdMinimum = 16;
/** WebAuthn's longest id has 1,023 bytes. */
const credentialId = base64url.max(1_364);
const credential = { id: credentialId, rawId: credentialId, type: z.literal("public-key") };
const nothing = z.object({}).default({});

const registrationSchema = z.object({
  ...credential,
  response: z.object({ clientDataJSON: base64url, attestationObject: base64url }),
  clientExtensionResults: nothing,
});
const authenticationSchema = z.object({
  ...credential,
  response: z.object({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url }),
  clientExtensionResults: nothing,
});

/**
 * The site at an origin that the operator vouches for.
 * Undefined where browsers have no passkeys: by IP address, or without https.
 */
export function passkeySite(origin: string | undefined): PasskeySite | undefined {
  if (origin === undefined) return undefined;
  const { protocol, hostname } = new URL(origin);
  const isSecure = protocol === "https:" || hostname === "localhost";
  return isSecure && isIP(hostname) === 0 && !hostname.startsWith("[")
    ? { origin, domain: hostname }
    : undefined;
}

/**
 * Options to make a passkey with, as JSON.
 * `known` are the credentials that the user has already.
 */
export async function creationOptions(
  { site, owner, key, now }: ChallengeContext,
  { id, username }: { id: number; username: string },
  known: readonly string[],
): Promise<string> {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: site.domain,
    rpID: site.domain,
    userName: username,
    userID: new TextEncoder().encode(`weir ${id}`),
    challenge: newPasskeyChallenge(owner, key, now),
    excludeCredentials: known.map((credential) => ({ id: credential })),
    supportedAlgorithmIDs: algorithms,
  });
  return JSON.stringify(options);
}

/** Options to log in with one of these credentials, as JSON. */
export async function requestOptions(
  { site, owner, key, now }: ChallengeContext,
  credentials: readonly string[],
): Promise<string> {
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: site.domain,
    challenge: newPasskeyChallenge(owner, key, now),
    allowCredentials: credentials.map((id) => ({ id })),
  });
  return JSON.stringify(options);
}

/** A new credential from a registration response (JSON); undefined when wrong. */
export async function verifyRegistration(
  json: string,
  context: ChallengeContext,
): Promise<
  { credentialId: string; publicKey: string; counter: number; challenge: PasskeyChallenge } | undefined
> {
  const response = parsed(registrationSchema, json);
  if (!response || !(await hasNoCertificates(response.response.attestationObject))) return undefined;
  return withChallenge(context, async (expectations) => {
    const { verifyRegistrationResponse } = await library();
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      ...expectations,
      supportedAlgorithmIDs: algorithms,
    });
    if (!registrationInfo) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    if (bytesOf(id).length < credentialIdMinimum) return undefined;
    return { credentialId: id, publicKey: Buffer.from(publicKey).toString("base64url"), counter };
  });
}

/**
 * The credential's id in an authentication response, verified or not.
 * Undefined when it is malformed.
 */
export function credentialOf(json: string): string | undefined {
  return parsed(authenticationSchema, json)?.id;
}

/**
 * The authenticator's counter from an authentication response.
 * Undefined when that is wrong.
 */
export async function verifyAssertion(
  json: string,
  { credentialId: id, publicKey, counter }: { credentialId: string; publicKey: string; counter: number },
  context: ChallengeContext,
): Promise<{ counter: number; challenge: PasskeyChallenge } | undefined> {
  const response = parsed(authenticationSchema, json);
  if (!response) return undefined;
  return withChallenge(context, async (expectations) => {
    const { verifyAuthenticationResponse } = await library();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      ...expectations,
      credential: { id, publicKey: bytesOf(publicKey), counter },
    });
    return verified ? { counter: authenticationInfo.newCounter } : undefined;
  });
}

/**
 * Runs a verification of the library, and adds the challenge to its result.
 * Undefined for any fault of the response, for which the library throws.
 */
async function withChallenge<T extends object>(
  { site, ...context }: ChallengeContext,
  check: (expectations: {
    expectedChallenge: (sent: string) => boolean;
    expectedOrigin: string;
    expectedRPID: string;
    requireUserVerification: false;
  }) => Promise<T | undefined>,
): Promise<(T & { challenge: PasskeyChallenge }) | undefined> {
  const challenges: PasskeyChallenge[] = [];
  try {
    const checked = await check({
      expectedChallenge(sent) {
        const challenge = readPasskeyChallenge(sent, context);
        if (challenge) challenges.push(challenge);
        return challenge !== undefined;
      },
      expectedOrigin: site.origin,
      expectedRPID: site.domain,
      requireUserVerification: false,
    });
    const [challenge] = challenges;
    return checked && challenge && { ...checked, challenge };
  } catch {
    return undefined;
  }
}

/** Whether an attestation is empty, or signed with the passkey's own key. */
async function hasNoCertificates(attestationObject: string): Promise<boolean> {
  try {
    const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
    const attestation = decodeAttestationObject(bytesOf(attestationObject));
    const format = attestation.get("fmt");
    return format === "none" || (format === "packed" && attestation.get("attStmt").get("x5c") === undefined);
  } catch {
    return false;
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, "base64url"));
}

function parsed<T>(schema: z.ZodType<T>, json: string): T | undefined {
  return json.length > responseMaximum ? undefined : schema.safeParse(jsonFrom(json)).data;
}
