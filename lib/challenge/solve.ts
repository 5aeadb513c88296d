/** Solves challenges, in a browser and in Node. */
import { solveChallenge as solve } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import type { Challenge, Solution } from "./schema.ts";

/**
 * Solves a challenge.
 * Undefined when aborted. Keys are derived by WebCrypto, off the main thread, so that a page stays responsive;
 * rejects where there is none (a page that is neither on https nor on localhost).
 */
export async function solveChallenge(
  challenge: Challenge,
  controller = new AbortController(),
): Promise<Solution | undefined> {
  const solution = await solve({ challenge, controller, deriveKey, timeout: 0 });
  return solution ? { counter: solution.counter, derivedKey: solution.derivedKey } : undefined;
}
