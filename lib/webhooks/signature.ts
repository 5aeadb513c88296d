/** Secrets and signatures by Standard Webhooks (https://www.standardwebhooks.com). */
import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";

/** A new secret: 256 random bits in base64. */
export function newWebhookSecret(): string {
  return `${prefix}${randomBytes(32).toString("base64")}`;
}

interface SignedMessage {
  id: string;
  /** In milliseconds. */
  now: number;
  body: string;
}

/** The headers that identify and sign a message, with a signature for each secret. */
export function signedHeaders(secrets: readonly string[], { id, now, body }: SignedMessage) {
  const seconds = Math.floor(now / 1_000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatures.join(" "),
  };
}
