/** Password hashes: argon2id with the parameters that OWASP recommends (19 MiB, two passes, one lane). */
import { hash, verify } from "@node-rs/argon2";

// The algorithm is left at the library's default, which is argon2id: its name there is a constant that a build
// without type information cannot read.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password for keeping. Runs off the main thread. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), parameters);
}

let decoy: Promise<string> | undefined;

/**
 * Whether the password is the one that was hashed. Without a hash (there is no such account) it does the same
 * work and says no, so that a name that exists cannot be told from one that does not by the time it takes.
 */
export async function passwordMatches(passwordHash: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword(crypto.randomUUID());
  const matches = await verify(passwordHash ?? (await decoy), password.normalize("NFKC"));
  return matches && passwordHash !== undefined;
}
