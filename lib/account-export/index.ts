// Over 200 lines: one file of the export after the other, in the order of the archive.

/** A copy of all that the site keeps about one user. */

import type { Database, ImageRow } from "../../db/index.ts";
import { earlierVersionsFile } from "../archive/earlier-versions.ts";
import { describeImage, imageFiles } from "../archive/image-files.ts";
import { postFiles } from "../archive/post-file.ts";
import { type ArchiveFile, jsonArray, jsonText } from "../archive/zip.ts";
import { checkLimits } from "../limits/check-limits.ts";
import type { Refused } from "../limits/types.ts";
import { chosenMailsOf } from "../mail/choices.ts";
import type { MediaFolder } from "../media/folder.ts";
import { pageSize, rowsOf } from "../paging/rows-of.ts";
import { newTicket, userOfTicket } from "../second-factor/ticket.ts";
import { listedSessions, type Session, type SessionContext } from "../sessions/index.ts";
import { type AccountContext, type SessionEnded, withPassword } from "../users/index.ts";
import type { PasswordsBusy } from "../users/password.ts";
import { isActingAdministrator } from "../users/permissions.ts";
import { type Actor, administrator, operator } from "../users/roles.ts";
import { comparisonKey, confirmationSchema } from "../users/schema.ts";
import type { User } from "../users/types.ts";
import { type Invalid, validate } from "../validation.ts";
import { mailsOf, recordsOf, time, withdrawnRatingsOf } from "./records.ts";

type FilesContext = SessionContext & { mediaFolder: Pick<MediaFolder, "path" | "writtenAt"> };

type AccountExportContext = AccountContext &
  FilesContext & {
    /** The key that signs permissions to download. */
    exportKey: () => Buffer;
  };

/** A copy that is written while it is read. */
type Ready = { kind: "ready"; files: AsyncIterable<ArchiveFile> };

/** Permits a download for ten minutes, when the password is right. */
export async function permitExport(
  context: AccountExportContext,
  { session, input, address, now }: { session: Session; input: unknown; address: string; now: number },
): Promise<
  { kind: "permitted"; ticket: string } | { kind: "wrong" } | SessionEnded | PasswordsBusy | Refused | Invalid
> {
  const checked = validate(confirmationSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const password = checked.value.currentPassword;
  const request = { session, password, purpose: "export-account", address, now } as const;
  return withPassword(context, request, async () => {
    const user = await context.database.users.byId(session.user.id);
    if (!user) return { kind: "session-ended" };
    return { kind: "permitted", ticket: newTicket(user, context.exportKey(), now) };
  });
}

/** Whether a ticket permits a user's download. */
export async function isPermitted(
  { database, exportKey }: Pick<AccountExportContext, "database" | "exportKey">,
  { user, ticket, now }: { user: { id: number }; ticket: string; now: number },
): Promise<boolean> {
  return (await userOfTicket(database, ticket, { key: exportKey(), now }))?.id === user.id;
}

/**
 * The files of a user's copy, when the ticket permits it.
 * "expired" for a ticket that is too old, of another user, or forged.
 */
export async function exportAccount(
  context: AccountExportContext,
  { session, ticket, address, now }: { session: Session; ticket: string; address: string; now: number },
): Promise<Ready | { kind: "expired" } | Refused> {
  const { guard, limits } = context;
  const { user } = session;
  if (!(await isPermitted(context, { user, ticket, now }))) return { kind: "expired" };
  const checked = await checkLimits(guard, {
    client: { address, username: user.username },
    checks: [[limits["export.user"], user.id]],
    now,
  });
  if (checked.kind !== "allowed") return checked;
  return { kind: "ready", files: filesOf(context, user.id, now) };
}

/** The files of another user's copy, for administrators; on record. */
export async function exportAccountOf(
  context: FilesContext & Pick<AccountContext, "guard" | "limits">,
  { actor, username, address, now }: { actor: User; username: string; address: string; now: number },
): Promise<Ready | { kind: "no-such-user" } | { kind: "forbidden" } | Refused> {
  const { database, guard, limits } = context;
  if (!(await isActingAdministrator(database, actor))) return { kind: "forbidden" };
  const checked = await checkLimits(guard, {
    client: { address, username: actor.username },
    checks: [[limits["export.user"], actor.id]],
    now,
  });
  if (checked.kind !== "allowed") return checked;
  return onRecord(context, { username, by: administrator(actor), now });
}

/** As `exportAccountOf`, for the operator's command. */
export function exportAccountByOperator(
  context: FilesContext,
  change: { username: string; now: number },
): Promise<Ready | { kind: "no-such-user" }> {
  return onRecord(context, { ...change, by: operator });
}

async function onRecord(
  context: FilesContext,
  { username, by, now }: { username: string; by: Actor; now: number },
): Promise<Ready | { kind: "no-such-user" }> {
  const { users, accountChanges } = context.database;
  const id = await context.database.transaction(async () => {
    const found = await users.byUsernameKey(comparisonKey(username));
    const user = found && (await users.lock(found.id));
    if (!user) return undefined;
    const change = { kind: "export-account", at: now, ...by, why: null } as const;
    await accountChanges.record(change, [{ userId: user.id, deciders: 0 }]);
    return user.id;
  });
  if (id === undefined) return { kind: "no-such-user" };
  return { kind: "ready", files: filesOf(context, id, now) };
}

async function* filesOf(context: FilesContext, userId: number, now: number): AsyncGenerator<ArchiveFile> {
  const { database } = context;
  const list = (path: string, items: AsyncIterable<unknown>) => ({
    path,
    changedAt: now,
    content: jsonArray(items),
  });
  yield { path: "account.json", changedAt: now, content: jsonText(await accountOf(context, userId, now)) };
  yield list("ratings.json", ratingsOf(database, userId));
  yield list("withdrawn-ratings.json", withdrawnRatingsOf(database, userId));
  yield list("bookmarks.json", bookmarksOf(database, userId));
  yield earlierVersionsFile(database, now, userId);
  yield list("attempts-to-rate.json", attemptsOf(database, userId));
  yield list("requests-and-decisions.json", recordsOf(database, userId));
  yield list("emails.json", mailsOf(database, userId));
  yield* postFiles(database, userId);
  const images = await allImages(database, userId);
  yield { path: "media.json", changedAt: now, content: jsonText(images.map(describeImage)) };
  yield* imageFiles(context.mediaFolder, images);
}

/** The account, and how its user is signed in; no secrets. */
async function accountOf(context: FilesContext, userId: number, now: number) {
  const { database } = context;
  const [user, totp] = [await database.users.byId(userId), await database.secondFactors.totp(userId)];
  const sessions = await listedSessions(context, userId, now);
  const passkeys = await database.passkeys.ofUser(userId);
  const tokens = await database.apiTokens.ofUser(userId);
  const mails = await chosenMailsOf(context, userId);
  const change = await database.emailChanges.of(userId, now);
  const formerEmails = await database.mailLinks.formerAddressesOf(userId);
  return {
    exportedAt: time(now),
    username: user?.username,
    email: user?.email,
    registeredAt: user && time(user.createdAt),
    roles: {
      administrator: user?.isAdministrator,
      moderator: user?.isModerator,
      writer: user?.isWriter,
    },
    writingRequestedAt: user && time(user.writingRequestedAt),
    disabledAt: user && time(user.disabledAt),
    sessions: sessions.map(({ device, createdAt, lastUsedAt }) => ({
      device,
      loggedInAt: time(createdAt),
      lastUsedAt: time(lastUsedAt),
    })),
    twoStepVerification: {
      appSince: time(totp?.confirmedAt ?? null),
      passkeys: passkeys.map(({ name, createdAt, lastUsedAt }) => ({
        name,
        createdAt: time(createdAt),
        lastUsedAt: time(lastUsedAt),
      })),
    },
    apiTokens: tokens.map(({ name, scopes, createdAt, lastUsedAt, expiresAt }) => ({
      name,
      scopes,
      createdAt: time(createdAt),
      lastUsedAt: time(lastUsedAt),
      expiresAt: time(expiresAt),
    })),
    isEmailConfirmed: user ? user.emailConfirmedAt !== null : undefined,
    newEmail: change && { email: change.email, requestedAt: time(change.createdAt) },
    formerEmails: formerEmails.map(({ address, createdAt }) => ({
      email: address,
      replacedAt: time(createdAt),
    })),
    mails: {
      aboutFloods: mails?.chosen.has("floods"),
      aboutDecisions: mails?.chosen.has("decisions"),
      aboutFloodsToDecide: mails?.chosen.has("undecided"),
      aboutNewPosts: mails?.chosen.has("posts"),
    },
  };
}

async function* ratingsOf({ exports }: Database, userId: number) {
  const ratings = rowsOf((...page) => exports.ratingsOf(userId, ...page));
  for await (const { slug, title, score, createdAt } of ratings)
    yield { post: slug, title, score, ratedAt: time(createdAt) };
}

async function* bookmarksOf(database: Database, userId: number) {
  for (const { slug, title, createdAt } of await database.exports.bookmarksOf(userId))
    yield { post: slug, title, savedAt: time(createdAt) };
}

/** A user's images, whose number is bounded by the room for them. */
async function allImages(database: Database, userId: number): Promise<ImageRow[]> {
  const images: ImageRow[] = [];
  for (;;) {
    const page = await database.media.ofUser(userId, { limit: pageSize, before: images.at(-1)?.id });
    images.push(...page);
    if (page.length < pageSize) return images;
  }
}

async function* attemptsOf(database: Database, userId: number) {
  for (let after = { postId: 0, minute: 0, id: 0 }; ; ) {
    const page = await database.exports.attemptsOf(userId, after, pageSize);
    for (const { slug, at, count, verb, score, allowed, held } of page)
      yield { post: slug, lastAt: time(at), count, kind: verb, score, isAllowed: allowed, isHeld: held };
    after = page.at(-1) ?? after;
    if (page.length < pageSize) return;
  }
}
