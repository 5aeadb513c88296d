/**
 * Challenges that passkeys sign: valid for one owner, once, for ten minutes.
 * The server signs them (HMAC), so it stores only those that were used.
 */
import { randomBytes } from "node:crypto";
import type { Database } from "../../db/index.ts";
import { isSameSecret, signatureOf } from "../auth/token.ts";
import { spendOnce } from "../challenge/spend-once.ts";
import { ticketMs } from "./ticket.ts";

export interface PasskeyChallenge {
  text: string;
  expiresAt: number;
}

const form = /^[\w-]{22}\.([\da-z]{1,11})\.([\w-]{43})$/;

/**
 * A new challenge.
 * `owner` is the session, or the pending log-in, that may respond to it.
 */
export function newPasskeyChallenge(owner: string, key: Buffer, now: number): string {
  const text = `${randomBytes(16).toString("base64url")}.${(now + ticketMs).toString(36)}`;
  return `${text}.${signature(text, owner, key)}`;
}

/**
 * The challenge in a response, in base64url.
 * Undefined when it is forged, expired or another owner's.
 */
export function readPasskeyChallenge(
  sent: string,
  { owner, key, now }: { owner: string; key: Buffer; now: number },
): PasskeyChallenge | undefined {
  const text = Buffer.from(sent, "base64url").toString();
  const [, until = "", signed = ""] = form.exec(text) ?? [];
  const expiresAt = Number.parseInt(until, 36);
  if (!(now < expiresAt)) return undefined;
  const expected = signature(text.slice(0, -signed.length - 1), owner, key);
  return isSameSecret(signed, expected) ? { text, expiresAt } : undefined;
}

/**
 * Marks a challenge as used.
 * False when it was used before. Call it in a transaction; the mark is saved when that commits.
 */
export function spendPasskeyChallenge(
  database: Pick<Database, "limiterStates">,
  { text, expiresAt }: PasskeyChallenge,
  now: number,
): Promise<boolean> {
  return spendOnce(database, { key: `used-passkey-challenge:${text}`, expiresAt }, now);
}

function signature(text: string, owner: string, key: Buffer): string {
  return signatureOf(key, "passkey", text, owner);
}
