/** Password hashes: argon2id with OWASP's recommended parameters (19 MiB, two passes, one lane). */
import { hash, verify } from "@node-rs/argon2";

// The algorithm is the library's default, argon2id: its constant is a const enum, which erasable TypeScript cannot
// import.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password, off the main thread. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), parameters);
}

let decoy: Promise<string> | undefined;

/**
 * Whether the password matches the hash. Without a hash (no such account) it does the same work and returns false, so
 * that timing does not reveal which names exist.
 */
export async function passwordMatches(passwordHash: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword(crypto.randomUUID());
  const matches = await verify(passwordHash ?? (await decoy), password.normalize("NFKC"));
  return matches && passwordHash !== undefined;
}
