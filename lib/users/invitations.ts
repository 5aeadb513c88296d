/**
 * Invitations: links for one person each.
 * They are for sites where registering needs one or waits for approval, or where not everyone may write: an invited
 * writer registers with it, or accepts it with an account.
 *
 * A link's token is 256 random bits; only its SHA-256 is stored, as with API tokens. Making, using and withdrawing one is
 * on record (`account_changes`), with its note.
 */
import { z } from "zod";
import type { SavedInvitation } from "../../db/index.ts";
import { newToken, tokenHash } from "../auth/token.ts";
import { translator } from "../i18n/index.ts";
import type { WhoMayWrite } from "../site/schema.ts";
import { dayMs } from "../time/units.ts";
import { type Invalid, line, validate } from "../validation.ts";
import { asActingAdministrator } from "./permissions.ts";
import { administrator } from "./roles.ts";
import type { DatabaseContext, User } from "./types.ts";
import { toUser } from "./user-of-row.ts";

export interface ListedInvitation extends SavedInvitation {
  /** `ended`: its maker is no longer an administrator who can log in. */
  status: "open" | "used" | "expired" | "ended";
}

export const invitationDays = ["1", "7", "30"] as const;
/** The role of the invited person; as a writer, also where not everyone may write. */
export const invitationRoles = ["writer", "reader"] as const;
export const invitationsPerPage = 10;

export const invitationSchema = z.object({
  note: line("note", 1, 100),
  role: z
    .enum(invitationRoles, { error: () => translator("validation")("invitationRole") })
    .default("writer"),
  days: z.enum(invitationDays, { error: () => translator("validation")("invitationDays") }),
});

/**
 * Creates an invitation; the token returned is the only copy.
 * `input` is unvalidated: `{ note, days, role? }`.
 */
export async function invite(
  { database }: DatabaseContext,
  { actor, input, now }: { actor: User; input: unknown; now: number },
): Promise<{ kind: "invited"; id: number; token: string } | { kind: "forbidden" } | Invalid> {
  const checked = validate(invitationSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { note, days, role } = checked.value;
  return asActingAdministrator(database, actor, async () => {
    const by = administrator(actor);
    await database.accountChanges.record({ kind: "make-invitation", at: now, ...by, why: note }, []);
    const token = newToken();
    const id = await database.invitations.insert({
      tokenHash: tokenHash(token),
      note,
      createdBy: actor.id,
      createdAt: now,
      makesWriter: role === "writer",
      expiresAt: now + Number(days) * dayMs,
    });
    return { kind: "invited", id, token };
  });
}

/** Takes an unused invitation back. */
export function withdrawInvitation(
  { database }: DatabaseContext,
  { actor, id, now }: { actor: User; id: number; now: number },
): Promise<{ kind: "done" } | { kind: "nothing-there" } | { kind: "forbidden" }> {
  return asActingAdministrator(database, actor, async () => {
    const note = await database.invitations.removeUnused(id);
    if (note === undefined) return { kind: "nothing-there" };
    const change = { kind: "withdraw-invitation", at: now, ...administrator(actor) } as const;
    await database.accountChanges.record({ ...change, why: note }, []);
    return { kind: "done" };
  });
}

/**
 * A page of the invitations, newest first; for administrators.
 * A page after the last one is the last one.
 */
export async function listInvitations(
  { database: { invitations } }: DatabaseContext,
  now: number,
  page = 1,
): Promise<{ invitations: ListedInvitation[]; page: number; pages: number }> {
  const pages = Math.max(1, Math.ceil((await invitations.count()) / invitationsPerPage));
  const shown = Math.min(Math.max(1, page), pages);
  const found = await invitations.latest(invitationsPerPage, (shown - 1) * invitationsPerPage);
  return {
    invitations: found.map((invitation) => ({ ...invitation, status: statusOf(invitation, now) })),
    page: shown,
    pages,
  };
}

function statusOf(invitation: SavedInvitation, now: number): ListedInvitation["status"] {
  if (invitation.usedAt !== null) return "used";
  if (invitation.expiresAt <= now) return "expired";
  return invitation.isByAdministrator ? "open" : "ended";
}

/** A link that can still be used; undefined for any other. */
export function openInvitation(
  { database }: DatabaseContext,
  token: string,
  now: number,
): Promise<{ makesWriter: boolean } | undefined> {
  return database.invitations.open(tokenHash(token), now);
}

/**
 * Makes a user a writer by an invitation, which is used up and on record.
 * Approves the user's account too, as registering with it does. For a user who may write already, and where anyone
 * may, the invitation stays unused; so does one that makes no writer.
 */
export function acceptInvitation(
  { database, whoMayWrite }: DatabaseContext & { whoMayWrite: WhoMayWrite },
  { user, token, now }: { user: User; token: string; now: number },
): Promise<{ kind: "accepted" } | { kind: "bad-invitation" }> {
  const { users, invitations, accountChanges } = database;
  return database.transaction(async () => {
    const row = await users.lock(user.id);
    const open = await invitations.open(tokenHash(token), now);
    const mayAccept =
      whoMayWrite !== "anyone" && row !== undefined && row.disabledAt === null && !toUser(row).isWriter;
    if (!mayAccept || !open?.makesWriter) return { kind: "bad-invitation" };
    const used = await invitations.use(tokenHash(token), now);
    if (!used) return { kind: "bad-invitation" };
    await users.setWriter(user.id, true);
    await invitations.setUser(used.id, user.id);
    const change = { at: now, actor: "owner", byUserId: null, why: used.note } as const;
    const changed = [{ userId: user.id, deciders: 0 }];
    await accountChanges.record({ kind: "use-invitation", ...change }, changed);
    if (row.pendingSince !== null) {
      await users.approve(user.id);
      await accountChanges.record({ kind: "approve", ...change }, changed);
    }
    return { kind: "accepted" };
  });
}
