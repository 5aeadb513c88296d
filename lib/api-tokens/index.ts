/**
 * API tokens: a program acts as a user, within the token's scopes.
 *
 * A token is "weir_" and 256 random bits; only its SHA-256 is stored. It cannot be guessed, so a fast hash is enough, and
 * a lookup by hash leaks no timing of the token.
 */
import type { ApiTokenRow, UserRow } from "../../db/index.ts";
import { newToken, tokenHash } from "../auth/token.ts";
import { translator } from "../i18n/index.ts";
import type { PolicyDecision, Refused } from "../limits/types.ts";
import { hasSecondFactor } from "../second-factor/codes.ts";
import type { Session, SessionContext } from "../sessions/index.ts";
import { dayMs, minuteMs } from "../time/units.ts";
import { type AccountContext, type SessionEnded, type User, withPassword } from "../users/index.ts";
import type { PasswordsBusy } from "../users/password.ts";
import { toUser, withoutRoles } from "../users/user-of-row.ts";
import { type Invalid, validate } from "../validation.ts";
import { apiTokenSchema } from "./schema.ts";
import { type ApiScope, apiScopes } from "./scopes.ts";

/** A token as its owner sees it. */
export interface ListedToken {
  id: number;
  name: string;
  scopes: ApiScope[];
  createdAt: number;
  /** To the minute; null if never used. */
  lastUsedAt: number | null;
  /** Null for never. */
  expiresAt: number | null;
  isExpired: boolean;
}

type TokenContext = AccountContext & Pick<SessionContext, "adminSecondFactor">;

export const tokensMaximum = 50;

/** The last use is saved at most once per this time. */
const lastUsedStepMs = minuteMs;
const tokenForm = /^weir_[A-Za-z0-9_-]{43}$/;

/**
 * Creates a token if the password is right; the result is the only copy.
 * `input` is unvalidated.
 */
export async function createApiToken(
  context: AccountContext,
  { session, input, address, now }: { session: Session; input: unknown; address: string; now: number },
): Promise<
  { kind: "created"; token: string } | { kind: "wrong" } | SessionEnded | PasswordsBusy | Refused | Invalid
> {
  const checked = validate(apiTokenSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { name, scopes, lifetime, currentPassword: password } = checked.value;
  const { user } = session;
  if (scopes.includes("admin") && !user.isAdministrator)
    return invalid("scopes", translator("validation")("token.onlyAdministrators"));
  return withPassword(context, { session, password, purpose: "make-token", address, now }, async () => {
    const { apiTokens } = context.database;
    if ((await apiTokens.ofUser(user.id)).length >= tokensMaximum)
      return invalid("form", translator("validation")("token.tooMany", { maximum: tokensMaximum }));
    const token = `weir_${newToken()}`;
    const isNew = await apiTokens.insert({
      userId: user.id,
      name,
      tokenHash: tokenHash(token),
      scopes: scopes.join(" "),
      createdAt: now,
      expiresAt: lifetime === "never" ? null : now + Number(lifetime) * dayMs,
    });
    // Names are unique, so that a form submitted twice creates one token.
    return isNew ? { kind: "created", token } : invalid("name", translator("validation")("token.nameTaken"));
  });
}

/** The user's tokens, newest first, expired ones included. */
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

/** Revokes one of the user's tokens at once; ignores any other id. */
export function revokeApiToken(
  { database }: Pick<AccountContext, "database">,
  { user, id }: { user: User; id: number },
): Promise<void> {
  return database.transaction(() => database.apiTokens.remove(id, user.id));
}

export type TokenOutcome =
  /**
   * The user has no role, so that other scopes give no rights over others' posts.
   * `administrator` is the owner with their role, for calls of the scope `admin`.
   */
  | { kind: "accepted"; user: User; scopes: ApiScope[]; administrator?: User }
  /** Unknown, revoked, expired, or its owner is disabled. */
  | { kind: "bad-token" }
  /** The same, after too many bad tokens from this address. */
  | { kind: "bad-tokens"; refusal: PolicyDecision }
  | Refused;

/**
 * Authenticates a token, and counts the request under "api.token".
 * A bad token counts under "login.address", separately from passwords, so that a forgotten script does not block
 * log-ins from its address.
 */
export async function acceptApiToken(
  context: TokenContext,
  { token, address, now }: { token: string; address: string; now: number },
): Promise<TokenOutcome> {
  const { database, limits, guard } = context;
  const found = await liveToken(context, token, now);
  if (!found)
    return guard.run<TokenOutcome>({
      client: { address },
      now,
      plan: async () => ({
        checks: [[limits["login.address"], `token ${address}`]],
        execute: async ({ refused }) =>
          refused?.kind === "limited"
            ? { kind: "bad-tokens", refusal: refused.refusal }
            : (refused ?? { kind: "bad-token" }),
      }),
    });
  const { row, user, administrator } = found;
  return guard.run<TokenOutcome>({
    client: { address, username: user.username },
    now,
    plan: async () => ({
      checks: [[limits["api.token"], row.id]],
      execute: async ({ refused }) => {
        if (refused) return refused;
        if (row.lastUsedAt === null || now - row.lastUsedAt >= lastUsedStepMs)
          await database.apiTokens.setLastUsedAt(row.id, now);
        return { kind: "accepted", user, scopes: scopesOf(row), ...(administrator && { administrator }) };
      },
    }),
  });
}

async function liveToken(context: TokenContext, token: string, now: number) {
  const { database } = context;
  if (!tokenForm.test(token)) return undefined;
  const row = await database.apiTokens.byHash(tokenHash(token));
  if (!row || isExpired(row, now)) return undefined;
  const owner = await database.users.byId(row.userId);
  if (!owner || owner.disabledAt !== null) return undefined;
  const user = { ...toUser(owner), isAdministrator: false, isModerator: false };
  const isForAdministration = owner.isAdministrator && scopesOf(row).includes("admin");
  return {
    row,
    user,
    administrator: isForAdministration ? await administratorOf(context, owner) : undefined,
  };
}

/** The owner as an administrator, who needs a second factor where one is required. */
async function administratorOf({ database, adminSecondFactor }: TokenContext, owner: UserRow): Promise<User> {
  const lacksSecondFactor = adminSecondFactor === "required" && !(await hasSecondFactor(database, owner.id));
  return lacksSecondFactor ? withoutRoles(toUser(owner)) : toUser(owner);
}

function isExpired({ expiresAt }: ApiTokenRow, now: number): boolean {
  return expiresAt !== null && now >= expiresAt;
}

function scopesOf({ scopes }: ApiTokenRow): ApiScope[] {
  const words = scopes.split(" ");
  return apiScopes.filter((scope) => words.includes(scope));
}

function invalid(field: string, error: string): Invalid {
  return { kind: "invalid", errors: { [field]: [error] } };
}
