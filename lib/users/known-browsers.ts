/**
 * Browsers that have been logged in to an account before.
 *
 * Others' guesses at the account do not keep them out. A cookie holds the browser's random id and a mark for each
 * account: a keyed hash of account and id. Without a log-in to an account no cookie can be made that names it, and the
 * cookie does not reveal the account.
 */
import { createHmac, randomBytes } from "node:crypto";
import { derivedKey, isSameSecret } from "../auth/token.ts";
import { dayMs } from "../time/units.ts";

export const knownBrowserLifetimeMs = 365 * dayMs;

/** The account that a browser is remembered for, until its password changes. */
interface BrowserUser {
  id: number;
  passwordHash: string;
}

/**
 * The most accounts that a browser is remembered for.
 * Beyond it, the one with the oldest log-in is forgotten.
 */
const accountsMaximum = 5;
const cookieForm = /^([\w-]{22})((?:\.[\w-]{22}){1,5})$/;

/** The key of the marks, derived from the secret that signs sessions. */
export function browserSecretFrom(authSecret: string): string {
  return derivedKey(authSecret, "known browsers").toString("hex");
}

/**
 * The id of a browser that was logged in to this account before.
 * Undefined for any other browser.
 */
export function knownBrowser(
  cookie: string | undefined,
  user: BrowserUser,
  secret: string,
): string | undefined {
  const { id, marks } = read(cookie);
  if (id === undefined) return undefined;
  const expected = markOf(id, user, secret);
  return marks.some((mark) => isSameSecret(mark, expected)) ? id : undefined;
}

/** The cookie of a browser, with this account too. */
export function rememberBrowser(cookie: string | undefined, user: BrowserUser, secret: string): string {
  const { id = randomBytes(16).toString("base64url"), marks } = read(cookie);
  const mark = markOf(id, user, secret);
  const others = marks.filter((each) => each !== mark).slice(0, accountsMaximum - 1);
  return [id, mark, ...others].join(".");
}

function read(cookie: string | undefined): { id?: string; marks: string[] } {
  const [, id, marks] = cookieForm.exec(cookie ?? "") ?? [];
  return id !== undefined && marks !== undefined ? { id, marks: marks.slice(1).split(".") } : { marks: [] };
}

/** 128 bits, as the id: 22 characters of base64url. */
function markOf(id: string, { id: userId, passwordHash }: BrowserUser, secret: string): string {
  return createHmac("sha256", secret)
    .update(`${userId} ${id} ${passwordHash}`)
    .digest()
    .subarray(0, 16)
    .toString("base64url");
}
