/**
 * One-time codes of an authenticator app (TOTP, RFC 6238).
 * They use SHA-1, six digits and thirty seconds.
 */
import { Secret, TOTP } from "otpauth";

const periodSeconds = 30;
const settings = { algorithm: "SHA1", digits: 6, period: periodSeconds };

/** A new secret of 160 bits, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The address that adds the secret to an authenticator app. */
export function totpAddress(secret: string, { site, username }: { site: string; username: string }): string {
  return new TOTP({
    ...settings,
    secret: Secret.fromBase32(secret),
    issuer: site,
    label: username,
  }).toString();
}

/**
 * The time step of a code: the current one, or the one before or after.
 * Undefined for a wrong code.
 * A code of `lastStep` or an earlier step is wrong: each is accepted once.
 */
export function totpStep(
  secret: string,
  code: string,
  { lastStep, now }: { lastStep: number; now: number },
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = TOTP.validate({
    ...settings,
    secret: Secret.fromBase32(secret),
    token: code,
    timestamp: now,
    window: 1,
  });
  if (delta === null) return undefined;
  const step = Math.floor(now / (periodSeconds * 1_000)) + delta;
  return step > lastStep ? step : undefined;
}
