/**
 * The secret that signs sessions.
 * The setting, or one generated once and kept beside the database.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../db/error-code.ts";
import { makePrivate, makePrivateFolderOf } from "../../db/private-files.ts";
import { dataFolder } from "../settings/data-folder.ts";
import { env } from "../settings/env.ts";

let secret: string | undefined;

/**
 * This installation's secret.
 * Throws when its file can neither be read nor created.
 */
export function authSecret(): string {
  secret ??= env.AUTH_SECRET ?? keptSecret(secretFile(env));
  return secret;
}

/** The file of a generated secret. */
export function secretFile(settings: Parameters<typeof dataFolder>[0]): string {
  return join(dataFolder(settings), "auth-secret");
}

/** Reads the secret, or creates its file, readable by its owner only. */
export function keptSecret(file: string): string {
  try {
    return readSecret(file);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  makePrivateFolderOf(file);
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, randomBytes(32).toString("base64url"), { mode: 0o600, flush: true, flag: "wx" });
  try {
    // A link is atomic: it creates the whole file, or fails because another process was first.
    linkSync(draft, file);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readSecret(file);
}

function readSecret(file: string): string {
  const secret = readFileSync(file, "utf8").trim();
  makePrivate(file);
  if (secret.length >= 32) return secret;
  throw new Error(
    `The secret in ${file} is shorter than 32 characters: remove the file, and a new one is made.`,
  );
}
