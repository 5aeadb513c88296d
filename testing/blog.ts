/**
 * A whole blog for tests of copies, backups and upgrades.
 * The demo's blog, with rows in every table, and values that are easily lost.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { databaseFile, openSqlite, type SqliteDatabase } from "../db/dialects/sqlite/index.ts";
import { refreshSiteSettings } from "../lib/site/index.ts";
import { seed } from "../scripts/demo/seed.ts";
import { addPost, addUser, morning } from "./content.ts";
import { temporaryDatabase, temporaryDatabaseUrl } from "./database.ts";

let made: Buffer | undefined;

/** The address of a new file with such a blog, that is not open. */
export async function blogUrl(): Promise<string> {
  const url = temporaryDatabaseUrl();
  if (made) writeFileSync(databaseFile(url), made);
  else await makeBlog(url);
  made ??= readFileSync(databaseFile(url));
  return url;
}

/** The address of a new, small blog: a post and two attempts. */
export async function newBlogUrl(): Promise<string> {
  const url = temporaryDatabaseUrl();
  const database = temporaryDatabase(url);
  const { id: postId } = await addPost(database, await addUser(database, "alder"), { now: Date.now() });
  const attempt = { verb: "create", score: 1, allowed: true, held: false, policy: null } as const;
  for (const at of [Date.now() - 1_000, Date.now()])
    await database.attempts.insert({ ...attempt, postId, userId: null, at, reason: null, level: null });
  return url;
}

/** Makes a file larger by this many megabytes. */
export async function enlarge(url: string, megabytes: number): Promise<void> {
  await changeByHand(
    url,
    `with recursive n(n) as (select 1 union all select n + 1 from n where n < ${megabytes * 100})
      insert into limiter_states select 'filler:' || n, '["' || hex(randomblob(5000)) || '"]', 9007199254740991 from n`,
  );
}

/** Removes the rows and values that a restore leaves out. */
export function removeUnrestored(url: string): Promise<void> {
  const tables = [
    "sessions",
    "mails",
    "mail_links",
    "pending_registrations",
    "email_changes",
    "webhook_deliveries",
  ];
  const changes = [
    ...tables.map((table) => `delete from ${table}`),
    "delete from mailed_floods where (post_id, number) in (select post_id, number from flood_windows where status = 'held')",
    "update decider_subscriptions set seen = ''",
  ];
  return changeByHand(url, changes.join("; "));
}

/** Damages a file as no version of the app does. */
export async function changeByHand(url: string, sql: string): Promise<void> {
  const database = openSqlite(url);
  database.sqlite.exec(sql);
  await database.close();
}

async function makeBlog(url: string): Promise<void> {
  const database = openSqlite(url);
  database.sqlite.pragma("synchronous = OFF"); // nothing is lost here that is not made again
  await seed(database, morning, () => Buffer.alloc(32, "a key of the tests only"));
  // The demo's site settings count in this process, in which other tests run too.
  const empty = openSqlite(temporaryDatabaseUrl());
  await refreshSiteSettings(empty);
  await empty.close();
  await addAwkwardValues(database);
  // The next user must not get the number of a removed one: an old session would be theirs.
  const { id } = await addUser(database, "gone");
  await database.users.remove(id);
  const changed = await addUser(database, "disabled");
  const change = {
    kind: "disable",
    at: morning,
    actor: "administrator",
    byUserId: 1,
    why: "A raid – آب",
  } as const;
  const changeId = await database.accountChanges.insert(change);
  await database.accountChanges.addUsers(changeId, [{ userId: changed.id, deciders: 0 }]);
  const zero = { postId: 1, userId: changed.id, score: 0, window: null, now: morning } as const;
  await database.transaction(() => database.ratings.insert(zero));
  await database.ratings.setAside(1, [
    {
      userId: changed.id,
      score: 0,
      createdAt: morning,
      updatedAt: morning,
      window: null,
      changeId,
    },
  ]);
  await database.users.markDeleted((await addUser(database, "going")).id, morning);
  await database.close();
}

async function addAwkwardValues({
  apiTokens,
  deciderSubscriptions,
  decisionSubscriptions,
  emailChanges,
  secondFactors,
  passkeys,
  sessions,
  attempts,
  bookmarks,
  floodSubscriptions,
  floodWindows,
  invitations,
  limiterStates,
  mailLinks,
  mails,
  media,
  operations,
  pendingRegistrations,
  reviewRequests,
  siteSettings,
  sqlite,
  subscribers,
  waitingRatings,
  webhooks,
}: SqliteDatabase): Promise<void> {
  const attempt = { postId: 1, userId: null, at: morning, verb: "create", score: 0, allowed: false } as const;
  const shadows = ["rating.post.ü", "rating.post.b"].map((policy) => ({
    policy,
    allowed: true,
    reason: "{}",
  }));
  await attempts.insert(
    { ...attempt, held: false, policy: "p", reason: '{"algorithm":"x"}', level: 0.1 + 0.2 },
    shadows,
  );
  const decision = { window: 1, at: morning, status: "counted", decidedBy: "person", ratings: 130 } as const;
  await floodWindows.recordDecision(1, {
    ...decision,
    userId: 1,
    role: "moderator",
    why: 'آب "quoted" \\ back\nnext 💧',
  });
  await reviewRequests.insert(1, { window: 1, at: morning, why: "They're my readers – آب" });
  const keys = [
    "a",
    "B",
    "ä",
    "é",
    "e\u0301",
    "\uFFFF",
    "💧",
    "a'b\"c\\d",
    "{x,y}",
    "tab\tline\n",
    "nul\0here",
    "",
  ];
  const states = keys.map((key, index) => ({ key, state: { key, index } }));
  await limiterStates.save(states, morning);
  const token = { userId: 1, name: "nightly – ü", tokenHash: "7".repeat(64), scopes: "read rate" };
  await apiTokens.insert({ ...token, createdAt: morning, expiresAt: null });
  const session = { userId: 1, tokenHash: "1".repeat(64), device: "Firefox on Linux" };
  await sessions.insert({ ...session, createdAt: morning, lastUsedAt: morning }, 9);
  await secondFactors.startSetup(1, "sealed", morning);
  await secondFactors.setRecoveryCodes(1, ["2".repeat(64)]);
  const passkey = { userId: 1, name: "Phone – ü", credentialId: "a_-", publicKey: "b_-", counter: 7 };
  await passkeys.insert({ ...passkey, createdAt: morning });
  const image = {
    name: "i".repeat(25),
    userId: 1,
    width: 1600,
    height: 900,
    isAnimated: false,
    bytes: 9_999,
  };
  await media.insert({ ...image, alt: 'آب "quoted" 💧', createdAt: morning });
  sqlite.prepare("insert into post_media values (1, 1)").run();
  await waitingRatings.save({
    postId: 1,
    userId: 1,
    score: 4,
    createdAt: morning,
    countsFrom: morning + 1,
    network: "n",
  });
  await bookmarks.add(1, 2, morning);
  const invitation = { note: "For نهر", createdBy: 1, createdAt: morning, expiresAt: morning + 1 };
  await invitations.insert({ ...invitation, tokenHash: "1".repeat(64) });
  const mail = { messageId: "m_-", kind: "password-changed", userId: 1, address: "Ada@example.org" } as const;
  const times = { createdAt: morning, expiresAt: morning + 1, dueAt: morning };
  await mails.insert({
    ...mail,
    addressKey: "ada@example.org",
    locale: "fa",
    data: '{"username":"آب"}',
    ...times,
  });
  const link = {
    tokenHash: "3".repeat(64),
    kind: "password-reset",
    userId: 1,
    addressKey: "ada@example.org",
  } as const;
  await mailLinks.insert({ ...link, createdAt: morning, expiresAt: morning + 1 });
  await mailLinks.insert({
    ...link,
    tokenHash: "6".repeat(64),
    kind: "restore-email",
    address: "Ada+old@example.org",
    createdAt: morning,
    expiresAt: morning + 1,
  });
  await floodSubscriptions.save({
    userId: 1,
    addressKey: "ada@example.org",
    locale: "fa",
    confirmedAt: morning,
  });
  sqlite.exec(`
    insert into former_slugs values ('wehre-früher', 1, ${morning});
    insert into tags (slug, name) values ('آب‌ها', 'آب‌ها'), ('ripple', 'Ripple 💧');
    insert into post_tags select 1, id from tags where slug in ('آب‌ها', 'ripple');
    insert into post_revisions (post_id, title, content, saved_at) values (1, 'Before 💧', 'آب
next', ${morning});
  `);
  const webhook = { url: "https://example.org/آب", events: "post.published", encryptedSecret: "x" };
  const webhookId = await webhooks.insert({ ...webhook, createdAt: morning });
  const delivery = { messageId: "msg_-", event: "post.published", body: '{"a":"آب"}' } as const;
  await webhooks.queue(webhookId, { ...delivery, createdAt: morning });
  await floodSubscriptions.markMailed(1, 1);
  await deciderSubscriptions.add({ userId: 1, locale: "fa", dueAt: morning });
  await decisionSubscriptions.add({ userId: 1, locale: "fa", afterDecision: 0, dueAt: morning });
  const address = { email: "Böse+ä@example.org", emailKey: "böse+ä@example.org", createdAt: morning };
  await subscribers.add({ ...address, locale: "fa" });
  await subscribers.announce(1, morning);
  const unconfirmed = { ...address, expiresAt: morning + 1 };
  await emailChanges.save({ ...unconfirmed, userId: 1, tokenHash: "4".repeat(64) });
  await pendingRegistrations.insert({
    ...unconfirmed,
    tokenHash: "5".repeat(64),
    username: "نهر",
    passwordHash: "$argon2id$",
    invitationHash: null,
    pendingNetwork: "n",
  });
  await siteSettings.save(new Map([["SITE_TAGLINE", 'دربارهٔ آب – "quoted"\nline']]));
  const decided = { allowed: 3, refused: 2, held: 1, shadowWouldRefuse: 0 };
  await operations.addLimitCounts([
    { policy: "rating.post", hour: Math.floor(morning / 3_600_000), ...decided },
  ]);
  const real = sqlite.prepare("update posts set settled_velocity = ? where id = ?");
  for (const [index, value] of [5e-324, 1.7976931348623157e308, -0, -1e-7, 2 ** 53 + 2].entries())
    real.run(value, index + 1);
  sqlite.exec("update flood_windows set usual_gap_ms = 9e999");
}
