/** How users are signed in: sessions, second factors and API tokens. */
import type { postgresColumns } from "../dialects/postgres/columns.ts";
import { type Referenced, userReference } from "./columns.ts";

export function sessionTables(dialect: typeof postgresColumns, { users }: Record<"users", Referenced>) {
  const { table, id, bigint, text, key, index, uniqueIndex, primaryKey } = dialect;
  const ofUser = userReference(dialect, users);

  /** Sessions of browsers and programs; a session ends when its row is removed. */
  const sessions = table(
    "sessions",
    {
      id: id(),
      userId: ofUser(),
      /** SHA-256 of the cookie's token, in hexadecimal; the token itself is not stored. */
      tokenHash: key("token_hash").notNull().unique(),
      /** The browser or program and its system, such as "Firefox on Linux". */
      device: text().notNull(),
      createdAt: bigint("created_at").notNull(),
      /** To a few minutes. */
      lastUsedAt: bigint("last_used_at").notNull(),
      /** When the session passed a second factor; null when it has not. */
      secondFactorAt: bigint("second_factor_at"),
    },
    (row) => [
      index("sessions_by_user").on(row.userId, row.lastUsedAt),
      index("sessions_by_last_use").on(row.lastUsedAt),
    ],
  );

  /** The secrets of users' one-time codes (TOTP). */
  const totpSecrets = table("totp_secrets", {
    userId: bigint("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Encrypted (lib/auth/encryption.ts). */
    encryptedSecret: text("sealed_secret").notNull(),
    createdAt: bigint("created_at").notNull(),
    /** When a first code was given; null while the second factor is off. */
    confirmedAt: bigint("confirmed_at"),
    /** The time step of the last code that was accepted. */
    lastStep: bigint("last_step").notNull().default(0),
  });

  /**
   * Codes that replace a lost second factor, each once.
   * They have 80 random bits, so a fast hash is enough.
   */
  const recoveryCodes = table(
    "recovery_codes",
    {
      userId: ofUser(),
      /** SHA-256, in hexadecimal; the code itself is not stored. */
      codeHash: key("code_hash").notNull(),
    },
    (code) => [primaryKey({ columns: [code.userId, code.codeHash] })],
  );

  /** Passkeys (WebAuthn), which users log in with as a second factor. */
  const passkeys = table(
    "passkeys",
    {
      id: id(),
      userId: ofUser(),
      /** The name by which the user recognises it. */
      name: text().notNull(),
      /** The credential's id, in base64url, as browsers write it. */
      credentialId: key("credential_id").notNull().unique(),
      /** The public key: COSE, in base64url. */
      publicKey: text("public_key").notNull(),
      /** How many signatures the authenticator has counted; 0 when it does not count. */
      counter: bigint().notNull(),
      createdAt: bigint("created_at").notNull(),
      lastUsedAt: bigint("last_used_at"),
    },
    (passkey) => [index("passkeys_by_user").on(passkey.userId)],
  );

  /** Tokens with which programs act in a user's name. */
  const apiTokens = table(
    "api_tokens",
    {
      id: id(),
      userId: ofUser(),
      name: key().notNull(),
      /** SHA-256 of the token, in hexadecimal: the token itself is kept nowhere. */
      tokenHash: key("token_hash").notNull().unique(),
      /** The scopes: words parted by spaces. */
      scopes: text().notNull(),
      createdAt: bigint("created_at").notNull(),
      lastUsedAt: bigint("last_used_at"),
      /** When it expires; null for never. */
      expiresAt: bigint("expires_at"),
    },
    (token) => [uniqueIndex("api_tokens_by_user").on(token.userId, token.name)],
  );

  return { sessions, totpSecrets, recoveryCodes, passkeys, apiTokens };
}
