/** People as administrators manage them: found, given a role, logged out. */
import { z } from "zod";
import type { Database } from "../../db/index.ts";
import { pageOf } from "../paging/page-of.ts";
import type { NotConfirmed } from "../second-factor/index.ts";
import { listedSessions, type Session, type SessionContext } from "../sessions/index.ts";
import { type Invalid, reason, validate } from "../validation.ts";
import { withPassword } from "./password-guess.ts";
import { asActingAdministrator, isActingAdministrator } from "./permissions.ts";
import { administrator, flagOf, type Role, setRole } from "./roles.ts";
import { comparisonKey, confirmationSchema } from "./schema.ts";
import type { AccountContext, DatabaseContext, User } from "./types.ts";

export const peoplePerPage = 20;
/** Which people a list shows. */
export const peopleKinds = ["all", "staff", "disabled"] as const;
export type PeopleKind = (typeof peopleKinds)[number];

/** A person's one role, the highest of theirs. */
export type PersonRole = Role | "reader";
export const personRoles = ["reader", "writer", "moderator", "administrator"] as const;

export const personStatuses = ["active", "disabled", "waiting"] as const;

export interface PeopleRequest {
  /** The beginning of a username; with an @, that of an email address. */
  search?: string | undefined;
  kind?: PeopleKind | undefined;
  /** The last person of the page before. */
  after?: number | undefined;
}

type UserFound = Awaited<ReturnType<Database["users"]["search"]>>[number];

export interface ListedPerson extends Pick<UserFound, "id" | "username" | "email" | "createdAt"> {
  role: PersonRole;
  status: (typeof personStatuses)[number];
}

const forbidden = { kind: "forbidden" } as const;

/** A page of people for administrators: those found by name, or the newest first. */
export async function searchPeople(
  { database }: DatabaseContext,
  actor: User,
  { search = "", kind = "all", after }: PeopleRequest,
): Promise<{ kind: "people"; people: ListedPerson[]; next: number | null } | { kind: "forbidden" }> {
  if (!actor.isAdministrator) return forbidden;
  const text = comparisonKey(search.trim());
  const found = await database.users.search({
    beginning: text === "" ? undefined : { of: text.includes("@") ? "email" : "username", text },
    only: kind === "all" ? undefined : kind,
    afterId: after,
    limit: peoplePerPage + 1,
  });
  const { items, nextCursor } = pageOf(found, peoplePerPage, ({ id }) => id);
  return { kind: "people", people: items.map(listedPerson), next: nextCursor };
}

/** The number of an account, by its name. */
export async function userIdOf({ database }: DatabaseContext, username: string): Promise<number | undefined> {
  return (await database.users.byUsernameKey(comparisonKey(username)))?.id;
}

/** A person with their sessions, for administrators. */
export async function personNamed(
  context: SessionContext,
  { actor, username, now }: { actor: User; username: string; now: number },
) {
  if (!actor.isAdministrator) return forbidden;
  const user = await context.database.users.byUsernameKey(comparisonKey(username));
  if (!user) return { kind: "no-such-user" } as const;
  const sessions = await listedSessions(context, user.id, now);
  return { kind: "person", person: listedPerson(user), sessions } as const;
}

export const roleChangeSchema = z.object({
  role: z.enum(personRoles),
  why: reason,
  currentPassword: z
    .string()
    .optional()
    .describe("Your password, to make a user an administrator, or an administrator something else."),
});

interface RoleRequest {
  username: string;
  /** Unvalidated: `{ role, why }`. */
  input: unknown;
  now: number;
}

type RoleChanged =
  | { kind: "done"; username: string; role: PersonRole }
  /** Administrators would become more or fewer, without the acting one's password. */
  | { kind: "password-required" }
  | { kind: "own-role" }
  | { kind: "last-administrator" }
  | { kind: "no-such-user" }
  | { kind: "forbidden" }
  | Invalid;

/**
 * Gives a person another role, with no password; for administrators.
 * Changes no administrator, and makes none. No administrator changes their own, so one always remains.
 */
export function changeRole(
  { database }: DatabaseContext,
  change: RoleRequest & { actor: User },
): Promise<RoleChanged> {
  return database.transaction(() => saveRole(database, { ...change, isConfirmed: false }));
}

/**
 * As `changeRole`, and also makes administrators, or takes their role.
 * That needs the acting administrator's password in the input: a stolen session makes no administrator who outlasts it,
 * and shuts out none of the others.
 */
export async function changeRoleInSession(
  context: AccountContext,
  { session, address, ...change }: RoleRequest & { session: Session; address: string },
): Promise<RoleChanged | NotConfirmed> {
  const { user: actor } = session;
  const changed = await changeRole(context, { ...change, actor });
  if (changed.kind !== "password-required") return changed;
  const checked = validate(confirmationSchema, change.input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const password = checked.value.currentPassword;
  const request = { session, password, purpose: "change-administrator", address, now: change.now } as const;
  return withPassword(context, request, () =>
    saveRole(context.database, { ...change, actor, isConfirmed: true }),
  );
}

/** Call it in a transaction. */
async function saveRole(
  database: Database,
  { actor, username, input, isConfirmed, now }: RoleRequest & { actor: User; isConfirmed: boolean },
): Promise<RoleChanged> {
  const checked = validate(roleChangeSchema, input);
  if (!(await isActingAdministrator(database, actor))) return forbidden;
  const found = await database.users.byUsernameKey(comparisonKey(username));
  const user = found && (await database.users.lock(found.id));
  if (!user) return { kind: "no-such-user" };
  if (user.id === actor.id) return { kind: "own-role" };
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { role, why } = checked.value;
  // Two administrators may demote each other at the same moment.
  const isDemoted = user.isAdministrator && role !== "administrator";
  if (isDemoted && !(await database.users.hasOtherAdministrator(user.id)))
    return { kind: "last-administrator" };
  if (user.isAdministrator !== (role === "administrator") && !isConfirmed)
    return { kind: "password-required" };
  const by = administrator(actor);
  let current = user;
  const set = async (each: Role, given: boolean) => {
    await setRole(database, { user: current, role: each, given, by, why, now });
    current = { ...current, [flagOf(each)]: given };
  };
  // Gives before it takes, so that a moderator who was an administrator keeps the right to decide on floods.
  if (role !== "reader") await set(role, true);
  if (role !== "administrator") await set("administrator", false);
  if (role !== "moderator") await set("moderator", false);
  if (role === "reader") await set("writer", false);
  return { kind: "done", username: user.username, role };
}

/**
 * Ends one session of another person, or all of them.
 * For administrators; the audit log records it.
 */
export async function endSessionsOf(
  { database }: DatabaseContext,
  { actor, username, session, now }: { actor: User; username: string; session: number | "all"; now: number },
): Promise<
  { kind: "done" } | { kind: "no-such-user" } | { kind: "no-such-session" } | { kind: "forbidden" }
> {
  const { users, sessions, accountChanges } = database;
  return asActingAdministrator(database, actor, async () => {
    const found = await users.byUsernameKey(comparisonKey(username));
    const user = found && (await users.lock(found.id));
    if (!user) return { kind: "no-such-user" };
    if (session === "all") await users.endSessions(user.id);
    else if (!(await sessions.end(session, user.id))) return { kind: "no-such-session" };
    const change = { kind: "end-sessions", at: now, ...administrator(actor), why: null } as const;
    await accountChanges.record(change, [{ userId: user.id, deciders: 0 }]);
    return { kind: "done" };
  });
}

function listedPerson(user: UserFound): ListedPerson {
  const { id, username, email, createdAt, isAdministrator, isModerator, isWriter, disabledAt, pendingSince } =
    user;
  return {
    id,
    username,
    email,
    createdAt,
    role: isAdministrator ? "administrator" : isModerator ? "moderator" : isWriter ? "writer" : "reader",
    status: disabledAt !== null ? "disabled" : pendingSince !== null ? "waiting" : "active",
  };
}
