/** A copy of all that the site keeps about one user, for that user. */

import type { Database, ImageRow } from "../../db/index.ts";
import { describeImage, imageFiles } from "../archive/image-files.ts";
import { postFiles } from "../archive/post-file.ts";
import { type ArchiveFile, jsonArray, jsonText } from "../archive/zip.ts";
import { checkLimits } from "../limits/check-limits.ts";
import type { Refused } from "../limits/types.ts";
import { chosenMailsOf } from "../mail/choices.ts";
import type { MediaFolder } from "../media/folder.ts";
import { newTicket, userOfTicket } from "../second-factor/ticket.ts";
import { listedSessions, type Session, type SessionContext } from "../sessions/index.ts";
import { type AccountContext, type Invalid, type SessionEnded, withPassword } from "../users/index.ts";
import type { PasswordsBusy } from "../users/password.ts";
import { confirmationSchema } from "../users/schema.ts";
import { validate } from "../validation.ts";

export type ExportContext = AccountContext &
  SessionContext & {
    mediaFolder: Pick<MediaFolder, "path" | "writtenAt">;
    /** The key that signs permissions to download. */
    exportKey: () => Buffer;
  };

/** Rows that are read at a time. */
const pageSize = 100;

/** Permits a download for ten minutes, when the password is right. */
export async function permitExport(
  context: ExportContext,
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
  { database, exportKey }: Pick<ExportContext, "database" | "exportKey">,
  { user, ticket, now }: { user: { id: number }; ticket: string; now: number },
): Promise<boolean> {
  return (await userOfTicket(database, ticket, { key: exportKey(), now }))?.id === user.id;
}

/**
 * The files of a user's copy, when the ticket permits it.
 * "expired" for a ticket that is too old, of another user, or forged.
 */
export async function exportAccount(
  context: ExportContext,
  { session, ticket, address, now }: { session: Session; ticket: string; address: string; now: number },
): Promise<{ kind: "ready"; files: AsyncIterable<ArchiveFile> } | { kind: "expired" } | Refused> {
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

async function* filesOf(context: ExportContext, userId: number, now: number): AsyncGenerator<ArchiveFile> {
  const { database } = context;
  const list = (path: string, items: AsyncIterable<unknown>) => ({
    path,
    changedAt: now,
    content: jsonArray(items),
  });
  yield { path: "account.json", changedAt: now, content: jsonText(await accountOf(context, userId, now)) };
  yield list("ratings.json", ratingsOf(database, userId));
  yield list("bookmarks.json", bookmarksOf(database, userId));
  yield list("earlier-versions.json", revisionsOf(database, userId));
  yield list("attempts-to-rate.json", attemptsOf(database, userId));
  yield* postFiles(database, userId);
  const images = await allImages(database, userId);
  yield { path: "media.json", changedAt: now, content: jsonText(images.map(describeImage)) };
  yield* imageFiles(context.mediaFolder, images);
}

/** The account, and how its user is signed in; no secrets. */
async function accountOf(context: ExportContext, userId: number, now: number) {
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

async function* ratingsOf(database: Database, userId: number) {
  for (let after = 0; ; ) {
    const page = await database.exports.ratingsOf(userId, after, pageSize);
    for (const { slug, title, score, createdAt } of page)
      yield { post: slug, title, score, ratedAt: time(createdAt) };
    after = page.at(-1)?.postId ?? after;
    if (page.length < pageSize) return;
  }
}

async function* revisionsOf(database: Database, userId: number) {
  for (let after = 0; ; ) {
    const page = await database.exports.revisionsOf(userId, after, pageSize);
    for (const { slug, title, content, savedAt } of page)
      yield { post: slug, savedAt: time(savedAt), title, content };
    after = page.at(-1)?.id ?? after;
    if (page.length < pageSize) return;
  }
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

function time(at: number): string;
function time(at: number | null): string | null;
function time(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
