/**
 * API tokens: with one, a program acts in a user's name, as far as the token's scopes go.
 *
 * A token is "weir_" and 256 random bits; only its SHA-256 is kept. Nobody can guess one, so the hash need not be slow,
 * and looking the hash up compares nothing byte by byte.
 */
import { createHash, randomBytes } from "node:crypto";
import type { ApiTokenRow } from "../../db/index.ts";
import type { PolicyDecision, Refused } from "../limits/guard.ts";
import { type AccountContext, type Invalid, type User, withPassword } from "../users/index.ts";
import { validate } from "../validation.ts";
import { apiTokenSchema } from "./schema.ts";
import { type ApiScope, apiScopes } from "./scopes.ts";

/** A token as its owner sees it in the list. */
export interface ListedToken {
  id: number;
  name: string;
  scopes: ApiScope[];
  createdAt: number;
  /** To the minute or so; null when it was never used. */
  lastUsedAt: number | null;
  /** Null for never. */
  expiresAt: number | null;
  isExpired: boolean;
}

export const tokensMaximum = 50;

const dayMs = 86_400_000;
/** A use is written down when the last one that was is this long ago. */
const lastUsedStepMs = 60_000;
const tokenForm = /^weir_[A-Za-z0-9_-]{43}$/;

/**
 * Makes a token of the user's, when the password is right. `input` is what was sent, not yet checked. The answer has the
 * token, which can be had this once.
 */
export async function createApiToken(
  context: AccountContext,
  { user, input, address, now }: { user: User; input: unknown; address: string; now: number },
): Promise<{ kind: "created"; token: string } | { kind: "wrong" } | Refused | Invalid> {
  const checked = validate(apiTokenSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { name, scopes, lifetime, currentPassword: password } = checked.value;
  return withPassword(context, { user, password, address, now }, async () => {
    const { apiTokens } = context.database;
    if ((await apiTokens.ofUser(user.id)).length >= tokensMaximum)
      return invalid("form", `You have ${tokensMaximum} tokens: revoke one first.`);
    const token = `weir_${randomBytes(32).toString("base64url")}`;
    const isNew = await apiTokens.insert({
      userId: user.id,
      name,
      tokenHash: hashOf(token),
      scopes: scopes.join(" "),
      createdAt: now,
      expiresAt: lifetime === "never" ? null : now + Number(lifetime) * dayMs,
    });
    // A name is one token's, which also keeps a form that is sent twice from making two.
    return isNew ? { kind: "created", token } : invalid("name", "You have a token of this name already.");
  });
}

/** The user's tokens, the newest first; those that have expired too, so that their owner sees why they do nothing. */
export async function apiTokensOf(
  { database }: Pick<AccountContext, "database">,
  user: User,
  now: number,
): Promise<ListedToken[]> {
  const rows = await database.apiTokens.ofUser(user.id);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    scopes: scopesOf(row),
    createdAt: row.createdAt,
    lastUsedAt: row.lastUsedAt,
    expiresAt: row.expiresAt,
    isExpired: isExpired(row, now),
  }));
}

/** Ends a token of the user's at once. One that is not there, or somebody else's, is left alone. */
export function revokeApiToken(
  { database }: Pick<AccountContext, "database">,
  { user, id }: { user: User; id: number },
): Promise<void> {
  return database.transaction(() => database.apiTokens.remove(id, user.id));
}

export type TokenOutcome =
  /** The user is never an administrator here: a token does what everybody may do with what is their own. */
  | { kind: "accepted"; user: User; scopes: ApiScope[] }
  /** Unknown, revoked, expired, or its owner is disabled. */
  | { kind: "bad-token" }
  /** The same, and too many of them have come from this address. */
  | { kind: "bad-tokens"; refusal: PolicyDecision }
  | Refused;

/**
 * Whose token this is, counting the request under "api.token". A token that is none counts under "login.address", apart
 * from passwords: a script that was forgotten keeps nobody at its address from logging in.
 */
export async function acceptApiToken(
  context: AccountContext,
  { token, address, now }: { token: string; address: string; now: number },
): Promise<TokenOutcome> {
  const { database, limits, guard } = context;
  const found = await liveToken(context, token, now);
  if (!found)
    return guard.guarded<TokenOutcome>({
      who: { address },
      now,
      plan: async () => ({
        checks: [[limits["login.address"], `token ${address}`]],
        execute: async ({ refused }) =>
          refused?.kind === "limited"
            ? { kind: "bad-tokens", refusal: refused.refusal }
            : (refused ?? { kind: "bad-token" }),
      }),
    });
  const { row, user } = found;
  return guard.guarded<TokenOutcome>({
    who: { address, username: user.username },
    now,
    plan: async () => ({
      checks: [[limits["api.token"], row.id]],
      execute: async ({ refused }) => {
        if (refused) return refused;
        if (row.lastUsedAt === null || now - row.lastUsedAt >= lastUsedStepMs)
          await database.apiTokens.setLastUsedAt(row.id, now);
        return { kind: "accepted", user, scopes: scopesOf(row) };
      },
    }),
  });
}

async function liveToken({ database }: AccountContext, token: string, now: number) {
  if (!tokenForm.test(token)) return undefined;
  const row = await database.apiTokens.byHash(hashOf(token));
  if (!row || isExpired(row, now)) return undefined;
  const owner = await database.users.byId(row.userId);
  if (!owner || owner.disabledAt !== null) return undefined;
  return { row, user: { id: owner.id, username: owner.username, isAdministrator: false } };
}

function isExpired({ expiresAt }: ApiTokenRow, now: number): boolean {
  return expiresAt !== null && now >= expiresAt;
}

function scopesOf({ scopes }: ApiTokenRow): ApiScope[] {
  const words = scopes.split(" ");
  return apiScopes.filter((scope) => words.includes(scope));
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function invalid(field: string, error: string): Invalid {
  return { kind: "invalid", errors: { [field]: [error] } };
}
