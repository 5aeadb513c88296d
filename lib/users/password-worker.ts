/**
 * The worker thread's program.
 * Hashes and checks passwords, argon2id with OWASP's parameters (19 MiB, two passes, one lane).
 */
import { randomUUID } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { hashSync, verifySync } from "@node-rs/argon2";
import type { PasswordRequest } from "./password.ts";

// The algorithm is the library's default, argon2id: its constant is a const enum, which erasable TypeScript cannot
// import.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Checked in place of a hash that is missing. */
const decoy = hashSync(randomUUID(), parameters);

function answerTo({ password, hash }: PasswordRequest): string | boolean {
  if (hash === undefined) return hashSync(password, parameters);
  const matches = verifySync(hash ?? decoy, password);
  return matches && hash !== null;
}

parentPort?.on("message", (request: PasswordRequest) => parentPort?.postMessage(answerTo(request)));
parentPort?.postMessage("ready");
