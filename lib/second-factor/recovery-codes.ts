/**
 * Codes that replace a lost second factor, each once.
 * They have 80 random bits, so a fast hash is enough.
 */
import { randomBytes } from "node:crypto";
import { Secret } from "otpauth";
import { tokenHash } from "../auth/token.ts";

const recoveryCodeCount = 10;
const codeBytes = 10;

/** New codes, in groups of four letters and digits. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const { base32 } = Secret.fromHex(randomBytes(codeBytes).toString("hex"));
    return (base32.toLowerCase().match(/.{4}/g) ?? []).join("-");
  });
}

/** Whether a text has the form of a recovery code, in any case and grouping. */
export function isRecoveryCode(text: string): boolean {
  return /^[a-z2-7]{16}$/.test(plain(text));
}

/** The stored hash of a code. */
export function recoveryCodeHash(code: string): string {
  return tokenHash(`recovery ${plain(code)}`);
}

function plain(code: string): string {
  return code.replace(/[\s-]/g, "").toLowerCase();
}
