/**
 * Challenges: signed tasks that cost their client some computing.
 * As ALTCHA's second version defines them.
 *
 * Nothing is stored when one is issued, so that requesting many fills no memory. The signature binds a challenge to its
 * purpose and its time. Only the signature of a used one is kept, until it would have expired, in the
 * database that all nodes share.
 */
import { createChallenge, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import type { Database } from "../../db/index.ts";
import { derivedKey } from "../auth/token.ts";
import { hourMs } from "../time/units.ts";
import type { Challenge, Solution } from "./schema.ts";
import { spendOnce } from "./spend-once.ts";

export type { Challenge, Solution };

export interface ChallengeSettings {
  /** Signs challenges; the same on all nodes. */
  secret: string;
  /** PBKDF2's iterations for each of the about 256 tries that a solution takes. */
  cost: number;
  /** The age at which a form without JavaScript needs no solution of its challenge. */
  waitMs: number;
}

/**
 * Why a challenge is refused.
 * `retryAfterMs` is the time until an early one will be accepted.
 */
export type ChallengeFault =
  | { fault: "missing" | "forged" | "expired" | "unsolved" | "used" }
  | { fault: "too-early"; retryAfterMs: number };

const lifetimeMs = hourMs;

/** The secret that signs challenges, from the one that signs sessions. */
export function challengeSecret(authSecret: string): string {
  return derivedKey(authSecret, "challenges").toString("hex");
}

/** A new challenge, good for one use for this purpose within an hour. */
export async function issueChallenge(
  { secret, cost }: ChallengeSettings,
  purpose: string,
  now: number,
): Promise<Challenge> {
  const data = { purpose, issuedAt: now, expiresAt: now + lifetimeMs };
  const { parameters, signature = "" } = await createChallenge({
    algorithm: "PBKDF2/SHA-256",
    cost,
    data,
    deriveKey,
    hmacSignatureSecret: secret,
    keyLength: 16,
    keyPrefix: "00",
  });
  const { keyLength, keyPrefix, nonce, salt } = parameters;
  return {
    parameters: { algorithm: "PBKDF2/SHA-256", cost, data, keyLength, keyPrefix, nonce, salt },
    signature,
  };
}

/** The proof that a client solved a challenge, or waited. */
interface ChallengeProof {
  challenge?: Challenge | undefined;
  solution?: Solution | undefined;
  /** Without a right solution a challenge is taken once it is old enough. */
  mayWait: boolean;
}

/**
 * The fault of a challenge, apart from its solution.
 * Undefined when there is none.
 *
 * Computes a signature only. `solutionFault` checks a solution, `spendChallenge` whether the challenge was used before.
 */
export async function challengeFault(
  settings: ChallengeSettings,
  purpose: string,
  proof: ChallengeProof,
  now: number,
): Promise<ChallengeFault | undefined> {
  const { challenge, solution } = proof;
  if (!challenge) return { fault: "missing" };
  const { data } = challenge.parameters;
  const { invalidSignature } = await verification(settings, challenge, { counter: 0, derivedKey: "" });
  if (invalidSignature !== false || data.purpose !== purpose) return { fault: "forged" };
  if (now > data.expiresAt) return { fault: "expired" };
  return solution ? undefined : unsolvedFault(settings, challenge, proof, now);
}

/**
 * The fault in the solution of a challenge that has no fault itself.
 * Derives a key, so a limit belongs before it.
 */
export async function solutionFault(
  settings: ChallengeSettings,
  proof: ChallengeProof,
  now: number,
): Promise<ChallengeFault | undefined> {
  const { challenge, solution } = proof;
  if (!challenge || !solution) return undefined;
  if ((await verification(settings, challenge, solution)).verified) return undefined;
  return unsolvedFault(settings, challenge, proof, now);
}

function verification({ secret }: ChallengeSettings, challenge: Challenge, solution: Solution) {
  return verifySolution({ challenge, deriveKey, hmacSignatureSecret: secret, solution });
}

function unsolvedFault(
  { waitMs }: ChallengeSettings,
  { parameters: { data } }: Challenge,
  { mayWait }: ChallengeProof,
  now: number,
): ChallengeFault | undefined {
  if (!mayWait) return { fault: "unsolved" };
  const retryAfterMs = data.issuedAt + waitMs - now;
  return retryAfterMs > 0 ? { fault: "too-early", retryAfterMs } : undefined;
}

/**
 * Uses a challenge up.
 * False when it was used before. In a transaction it is used only when that commits, and no other uses it meanwhile.
 */
export function spendChallenge(
  database: Pick<Database, "limiterStates">,
  challenge: Challenge,
  now: number,
): Promise<boolean> {
  const { expiresAt } = challenge.parameters.data;
  return spendOnce(database, { key: keyOf(challenge), expiresAt }, now);
}

/** Whether a challenge was used. */
export async function isSpent(
  { limiterStates }: Pick<Database, "limiterStates">,
  challenge: Challenge,
  now: number,
): Promise<boolean> {
  const [used] = await limiterStates.load([keyOf(challenge)], now);
  return used !== undefined;
}

function keyOf({ signature }: Challenge): string {
  return `used-challenge:${signature}`;
}
