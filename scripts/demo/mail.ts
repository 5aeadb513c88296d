/** The demo's mails: the outbox, choices of mails, and addresses to be confirmed. */
import type { Database } from "../../db/index.ts";
import { chooseMails, type MailChoice } from "../../lib/mail/choices.ts";
import { queueFloodMails } from "../../lib/mail/flood-mails.ts";
import { mailLimits, restorableMs } from "../../lib/mail/kinds.ts";
import { queueNewPostMails } from "../../lib/mail/new-post-mails.ts";
import { queueMail } from "../../lib/mail/outbox.ts";
import type { MailSettings } from "../../lib/mail/settings.ts";
import { undecidedMailer } from "../../lib/mail/undecided-mails.ts";
import { scoringDefaults } from "../../lib/ratings/tally/tally.ts";
import { dayMs, hourMs, minuteMs } from "../../lib/time/units.ts";
import type { User } from "../../lib/users/index.ts";
import { demoLogin } from "./plan.ts";

const locale = "en";

/** The hash of a token that is kept nowhere. */
export const lostTokenHash = "0".repeat(64);

const subscribers = ["mallow", "teasel", "yarrow", "sorrel", "burdock"];
/** The name in a registration that waits for a click on the link in its mail. */
const registering = "bulrush";

/** Why some mails were given up, by their kinds and addresses. */
const faults = new Map([
  [`test ${emailOf(demoLogin.administrator)}`, "ESOCKET: connect ECONNREFUSED 127.0.0.1:25"],
  [`new-posts ${emailOf("burdock")}`, "EENVELOPE: 550 5.1.1 <[address]>: Recipient address rejected"],
]);

/** The mail of a site, none of whose mails here has a link of its own. */
const mail: MailSettings = {
  from: { name: "Still Water", address: "blog@example.org" },
  siteName: "Still Water",
  siteUrl: "http://localhost:3000",
  siteLocale: locale,
  linkKey: () => Buffer.alloc(0),
};

interface DemoMail {
  database: Database;
  administrator: User;
  moderator: User;
  author: User;
  reader: User;
  now: number;
}

/** Adds the mails of the last week, from the oldest on, with their causes. */
export async function addMails(demo: DemoMail): Promise<void> {
  const { database, administrator, moderator, author, reader, now } = demo;
  const context = { database, mail, holdMs: scoringDefaults.holdMs };
  const choose = async ({ id: userId }: User, choice: MailChoice, at: number) => {
    await database.users.confirmEmail(userId, at - hourMs);
    await chooseMails(context, { userId, chosen: new Set([choice]), locale, now: at });
  };
  await choose(author, "floods", now - 60 * dayMs);
  await choose(reader, "decisions", now - 9 * dayMs);
  await addSubscribers(demo);
  const { username } = administrator;
  await queueMail(database, {
    kind: "test",
    to: await recipient(database, administrator),
    data: { username },
    ...{ locale, now: now - 6 * dayMs },
  });
  await replaceEmail(demo, moderator, now - 3 * dayMs);
  await queueNewPostMails(context, now - 7 * hourMs);
  await queueFloodMails(context, now - 5 * hourMs + minuteMs);
  await requestEmailChange(demo, reader, now - 2 * hourMs);
  await register(demo, now - 40 * minuteMs);
  await choose(moderator, "undecided", now - 10 * minuteMs);
  await undecidedMailer(context)(now - 4 * minuteMs);
  await sendAll(demo);
}

/** Subscribers who were mailed about all posts until yesterday. */
async function addSubscribers({ database, now }: DemoMail): Promise<void> {
  for (const [index, name] of subscribers.entries()) {
    const email = emailOf(name);
    const createdAt = now - (100 - 17 * index) * dayMs;
    await database.subscribers.add({ email, emailKey: email, locale, createdAt });
    const { id } = (await database.subscribers.byEmailKey(email)) ?? {};
    if (id !== undefined) await database.subscribers.setMailed([id], { mailedUntil: now - dayMs });
  }
}

/** A user has replaced their address, and a link can restore the former one. */
async function replaceEmail({ database }: DemoMail, { id: userId, username }: User, now: number) {
  const former = `${username}@example.net`;
  await database.mailLinks.insert({
    tokenHash: lostTokenHash,
    kind: "restore-email",
    ...{ userId, address: former, addressKey: former },
    createdAt: now,
    expiresAt: now + restorableMs,
  });
  const to = { id: userId, email: former, emailKey: former };
  await queueMail(database, { kind: "email-changed", to, data: { username }, locale, now });
}

/** A user has requested another address, and has not opened the link in its mail. */
async function requestEmailChange({ database }: DemoMail, { id: userId, username }: User, now: number) {
  const kind = "confirm-new-email";
  const next = { email: `${username}@example.net`, emailKey: `${username}@example.net` };
  const expiresAt = now + mailLimits[kind].validMs;
  await database.emailChanges.save({ ...next, userId, tokenHash: lostTokenHash, createdAt: now, expiresAt });
  await queueMail(database, { kind, to: { ...next, id: userId }, data: {}, locale, now });
  const to = await recipient(database, { id: userId });
  await queueMail(database, { kind: "email-change", to, data: { username }, locale, now });
}

/** A registration waits for a click on the link in its mail. */
async function register({ database }: DemoMail, now: number): Promise<void> {
  const kind = "confirm-registration";
  const email = emailOf(registering);
  await database.pendingRegistrations.insert({
    tokenHash: lostTokenHash,
    username: registering,
    ...{ email, emailKey: email },
    passwordHash: demoLogin.passwordHash,
    invitationHash: null,
    pendingNetwork: null,
    createdAt: now,
    expiresAt: now + mailLimits[kind].validMs,
  });
  await queueMail(database, { kind, to: { id: null, email, emailKey: email }, data: {}, locale, now });
}

/** Finishes all mails: most were sent a little later, and some given up. */
async function sendAll({ database: { mails }, now }: DemoMail): Promise<void> {
  for (;;) {
    const next = await mails.claim(now, now);
    if (!next) return;
    const fault = faults.get(`${next.kind} ${next.address}`) ?? null;
    await mails.finish(next.id, { now: next.createdAt + minuteMs / 4, fault });
  }
}

async function recipient({ users }: Database, { id }: Pick<User, "id">) {
  const user = await users.byId(id);
  if (!user) throw new Error("The user of a mail was not added.");
  return user;
}

function emailOf(name: string): string {
  return `${name}@example.org`;
}
