/**
 * The accounts that a change selects.
 * By name, or all that were registered in a span of time.
 */
import { z } from "zod";
import type { Database, UserRow } from "../../db/index.ts";
import { translator } from "../i18n/index.ts";
import { comparisonKey } from "../users/schema.ts";
import { reason } from "../validation.ts";

/**
 * Maximum number of accounts in one change by an administrator.
 * The operator's command has no limit.
 */
export const accountsMaximum = 10_000;
/** No username is longer, with any letters. */
const nameMaximum = 200;
/** Unknown names listed in an error. */
const missingShown = 10;
const keysPerQuery = 500;

export const disablingSchema = z.object(
  { disabled: z.boolean({ error: () => translator("validation")("accounts.disabled") }), why: reason },
  "A change of an account is an object with disabled and why.",
);

/**
 * The milliseconds of a time such as 2026-03-01 or 2026-03-01T09:30Z, in UTC.
 * Undefined for any other text.
 */
export function momentFrom(text: string): number | undefined {
  const [, date, time = "T00:00"] =
    /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2})?)?Z?$/.exec(text.trim()) ?? [];
  const at = date === undefined ? Number.NaN : Date.parse(`${date}${time}Z`);
  // Date.parse takes 31 February for 3 March.
  const isInCalendar = !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === date;
  return isInCalendar ? at : undefined;
}

const moment = (field: "registeredFrom" | "registeredBefore") => {
  const error = () => translator("validation")(`accounts.${field}`);
  return z
    .string({ error })
    .refine((text) => momentFrom(text) !== undefined, { error })
    .transform((text) => momentFrom(text) ?? 0)
    .describe("A day such as 2026-03-01, or a moment such as 2026-03-01T09:30Z; always UTC.");
};

const usernames = z.array(
  z
    .string({ error: () => translator("validation")("accounts.usernames") })
    .max(nameMaximum, { error: () => translator("validation")("accounts.nameTooLong") }),
  { error: () => translator("validation")("accounts.usernames") },
);

const oneOfBoth = {
  error: () => translator("validation")("accounts.oneOfBoth"),
  path: ["usernames"],
};
interface AccountSelection {
  usernames?: string[] | undefined;
  registeredFrom?: number | undefined;
  registeredBefore?: number | undefined;
}
const isOneOfBoth = ({ usernames, registeredFrom, registeredBefore }: AccountSelection) =>
  (usernames !== undefined) !== (registeredFrom !== undefined) &&
  (registeredFrom !== undefined) === (registeredBefore !== undefined);

const manyAccounts = z.object(
  {
    disabled: disablingSchema.shape.disabled,
    why: reason,
    dryRun: z
      .boolean({ error: () => translator("validation")("accounts.dryRun") })
      .default(false)
      .describe("Only counts the accounts, ratings and posts, and changes nothing."),
    usernames: usernames
      .min(1, { error: () => translator("validation")("accounts.none") })
      .max(accountsMaximum, {
        error: () => translator("validation")("accounts.tooMany", { maximum: accountsMaximum }),
      })
      .optional(),
    registeredFrom: moment("registeredFrom").optional(),
    registeredBefore: moment("registeredBefore").optional(),
  },
  "A change of accounts is an object with disabled, why, and usernames or registeredFrom and registeredBefore.",
);

/** The input of an administrator. */
export const accountsChangeSchema = manyAccounts.refine(isOneOfBoth, oneOfBoth);

/** The input of the operator's command: any number of names, reason optional. */
export const operatorsChangeSchema = manyAccounts
  .extend({ why: reason.optional(), usernames: usernames.min(1).optional() })
  .refine(isOneOfBoth, oneOfBoth);

type SelectedAccounts = { kind: "found"; accounts: UserRow[] } | { kind: "not-found"; error: string };

/**
 * The selected accounts, each once.
 * An error for unknown names, or for more than `maximum`.
 */
export async function selectAccounts(
  database: Database,
  { usernames, registeredFrom = 0, registeredBefore = 0 }: AccountSelection,
  maximum: number,
): Promise<SelectedAccounts> {
  if (usernames) return accountsNamed(database, usernames);
  const accounts = await database.users.registeredBetween(registeredFrom, registeredBefore, maximum + 1);
  if (accounts.length <= maximum) return { kind: "found", accounts };
  const error = translator("validation")("accounts.tooManyThen", { maximum });
  return { kind: "not-found", error };
}

async function accountsNamed({ users }: Database, names: readonly string[]): Promise<SelectedAccounts> {
  const nameOf = new Map(names.map((name) => [comparisonKey(name), name]));
  const keys = [...nameOf.keys()];
  const accounts: UserRow[] = [];
  for (let from = 0; from < keys.length; from += keysPerQuery)
    accounts.push(...(await users.byUsernameKeys(keys.slice(from, from + keysPerQuery))));
  for (const { usernameKey } of accounts) nameOf.delete(usernameKey);
  const missing = [...nameOf.values()];
  if (missing.length === 0) return { kind: "found", accounts };
  const error = translator("validation")("accounts.unknown", {
    count: missing.length,
    names: missing.slice(0, missingShown).join(", "),
    others: Math.max(0, missing.length - missingShown),
  });
  return { kind: "not-found", error };
}
