/** Which records the privacy page lists, on both databases. */
import { describe, expect, test } from "vitest";
import { tables } from "../../db/dialects/sqlite/schema.ts";
import { privacy } from "../../lib/i18n/messages/en/privacy.ts";
import { defaultLimits, type PolicyName } from "../../lib/limits/default-limits.ts";
import { newMail } from "../../lib/mail/outbox.ts";
import { parseSettings } from "../../lib/settings/env.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addUser, morning } from "../../testing/content.ts";
import { keptRecords, recordKinds } from "./records.ts";

const settings = parseSettings({});
const pending = "while your account waits for approval";
const messages = "Messages to other programs";

/** The page's records of each table; null for one without anything about people. */
const recordsOfTables: Record<keyof typeof tables, readonly (keyof typeof privacy.record)[] | null> = {
  users: ["account", "email", "password", "pending", "decisions"],
  accountChanges: ["decisions"],
  accountChangeUsers: ["decisions"],
  invitations: ["decisions"],
  pendingRegistrations: ["unconfirmed"],
  emailChanges: ["unconfirmed"],
  media: ["images"],
  posts: ["posts"],
  postContents: ["posts"],
  formerSlugs: ["posts"],
  tags: ["posts"],
  postTags: ["posts"],
  postMedia: ["posts"],
  announcedPosts: null,
  postRevisions: ["revisions"],
  sessions: ["sessions"],
  totpSecrets: ["keys"],
  recoveryCodes: ["keys"],
  passkeys: ["keys"],
  apiTokens: ["keys"],
  ratings: ["ratings"],
  disabledRatings: ["ratings"],
  waitingRatings: ["ratings", "attempts"],
  formerRaters: ["ratings"],
  ratingDays: null,
  floodWindows: null,
  windowDecisions: ["decisions"],
  reviewRequests: ["decisions"],
  bookmarks: ["bookmarks"],
  attempts: ["attempts"],
  shadowDecisions: ["attempts"],
  attemptCounts: null,
  shadowCounts: null,
  limiterStates: ["limits"],
  mediaFolder: null,
  nodes: null,
  limitCounts: null,
  replayClaims: null,
  trustedTime: null,
  removals: null,
  siteSettings: null,
  mails: ["mails"],
  mailLinks: ["unconfirmed", "former"],
  floodSubscriptions: ["email"],
  mailedFloods: null,
  decisionSubscriptions: ["email"],
  deciderSubscriptions: ["email"],
  subscribers: ["subscribers"],
  webhooks: null,
  webhookDeliveries: ["webhooks"],
};

/** The page's words for limits by network address or entered name. */
const wordsOfLimits: Record<PolicyName, string | null> = {
  "rating.post": null,
  "rating.user": null,
  "rating.address": "rating",
  "rating.change": null,
  "post.user": null,
  "post.render": null,
  "media.user": null,
  "post.preview": null,
  "review.user": null,
  "register.address": "registering",
  "register.network": "registering",
  "register.wide-network": "registering",
  "register.site": null,
  "register.known-networks": null,
  "login.address": "logging in",
  "login.account": "username",
  "login.delay": "username",
  "login.known-browser": null,
  "login.second-factor": "logging in",
  "reset.address": "new password",
  "reset.account": "email address that was entered",
  "email.user": null,
  "subscribe.address": "emails about new posts",
  "subscribe.network": "emails about new posts",
  "subscribe.site": null,
  "password.user": null,
  "search.address": "searching",
  "search.wide-network": "searching",
  "lab.address": "comparing in the lab",
  "lab.wide-network": "comparing in the lab",
  "image.address": "preview images",
  "image.wide-network": "preview images",
  "export.user": null,
  "api.token": null,
};

test("the privacy page has each table with rows about people, and each limit that counts by address", () => {
  expect(Object.keys(recordsOfTables).toSorted()).toEqual(Object.keys(tables).toSorted());
  const all = { sendsMail: true, approves: true, sendsWebhooks: true };
  const listed = keptRecords(settings, all).map(({ what }) => what);
  for (const [table, records] of Object.entries(recordsOfTables))
    for (const record of records ?? []) expect(listed, table).toContain(privacy.record[record].what);
  expect(Object.keys(wordsOfLimits).toSorted()).toEqual(Object.keys(defaultLimits(settings)).toSorted());
  for (const [limit, words] of Object.entries(wordsOfLimits)) {
    if (/(address|\.network|wide-network)$/.test(limit)) expect(words, limit).not.toBeNull();
    if (words !== null) expect(privacy.record.limits.what, limit).toContain(words);
  }
});

describe.each(newDatabases)("the privacy page on %s", (_, open) => {
  const listed = async (
    database: Awaited<ReturnType<typeof open>>,
    registration: "open" | "approval" = "open",
  ) =>
    keptRecords(settings, await recordKinds(database, { sendsMail: false, registration }))
      .map(({ what }) => what)
      .join("\n");

  test("has the networks of accounts that wait, also when new ones no longer do", async () => {
    const database = await open();
    expect(await listed(database)).not.toContain(pending);
    expect(await listed(database, "approval")).toContain(pending);
    await addUser(database, "alder", { pendingSince: morning, pendingNetwork: "00000000000000aa" });
    expect(await listed(database)).toContain(pending);
  });

  test("has the emails and the subscribers, also when the site no longer sends mail", async () => {
    const [database, other] = [await open(), await open()];
    for (const each of [database, other])
      expect(await listed(each)).not.toContain(privacy.record.subscribers.what);
    await other.mails.insert(
      newMail({
        kind: "test",
        to: { id: null, email: "birch@example.org", emailKey: "birch@example.org" },
        data: { username: "birch" },
        locale: "en",
        now: morning,
      }),
    );
    expect(await listed(other)).toContain(privacy.record.mails.what);
    const subscriber = { email: "birch@example.org", emailKey: "birch@example.org", createdAt: morning };
    await database.subscribers.add({ ...subscriber, locale: "en" });
    expect(await listed(database)).toContain(privacy.record.subscribers.what);
  });

  test("has the messages to other programs, also when the webhook is turned off", async () => {
    const database = await open();
    expect(await listed(database)).not.toContain(messages);
    const id = await database.webhooks.insert({
      url: "https://example.org/",
      events: "post.published",
      encryptedSecret: "x",
      createdAt: morning,
    });
    expect(await listed(database)).toContain(messages);
    await database.webhooks.update(id, { disabledAt: morning });
    expect(await listed(database)).toContain(messages);
  });
});
