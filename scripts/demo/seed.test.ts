import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import type { SqliteDatabase } from "../../db/dialects/sqlite/index.ts";
import { tables as schema } from "../../db/dialects/sqlite/schema.ts";
import { openSource } from "../../lib/import/archive.ts";
import { markdownPosts } from "../../lib/import/markdown.ts";
import { chosenMailsOf } from "../../lib/mail/choices.ts";
import { queueFloodMails } from "../../lib/mail/flood-mails.ts";
import { queueNewPostMails } from "../../lib/mail/new-post-mails.ts";
import { mailsKeptMs } from "../../lib/mail/outbox.ts";
import { undecidedMailer } from "../../lib/mail/undecided-mails.ts";
import { filesOf, iconAddress, iconSides, imageAddress, mediaPath } from "../../lib/media/address.ts";
import { mediaFolder } from "../../lib/media/folder.ts";
import { listPosts } from "../../lib/posts/index.ts";
import { scoreFrom } from "../../lib/ratings/score/score.ts";
import { scoringDefaults } from "../../lib/ratings/tally/tally.ts";
import { refreshSiteSettings } from "../../lib/site/index.ts";
import { logIn } from "../../lib/users/index.ts";
import { webhookOutbox } from "../../lib/webhooks/deliver.ts";
import { runChild } from "../../testing/child-process.ts";
import { contextOf, morning } from "../../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl } from "../../testing/database.ts";
import { integrityFaults } from "../../testing/integrity.ts";
import { mailSettings } from "../../testing/mail-settings.ts";
import { type DrawingName, drawImages } from "./drawings.ts";
import { lostTokenHash } from "./mail.ts";
import { demoLogin } from "./plan.ts";
import { seed } from "./seed.ts";

/** The images, which take longer to draw than all else. */
const media = mkdtempSync(join(tmpdir(), "weir-demo-"));
afterAll(() => rmSync(media, { recursive: true, force: true }));

const webhookKey = () => Buffer.alloc(32, "a key of the tests only");

/**
 * Seeds without a trace in this process, in which other tests run too.
 * The demo's site settings count in it.
 */
function seedDemo(...demo: Parameters<typeof seed>): Promise<unknown> {
  const empty = temporaryDatabase();
  onTestFinished(() => refreshSiteSettings(empty));
  return seed(...demo);
}

test("the command fills an empty database, although nothing but the rendering keeps it alive", async () => {
  vi.stubEnv("DATABASE_URL", temporaryDatabaseUrl());
  vi.stubEnv("MEDIA_FOLDER", media);
  const command = runChild(join(import.meta.dirname, "seed.ts"), []);
  vi.unstubAllEnvs();
  await command.ended;
  const [login, archive = "", ...more] = command.lines;
  expect([login, ...more]).toEqual([expect.stringContaining(demoLogin.password)]);
  const file = /^.*: (.+\/demo-import\.zip)$/.exec(archive)?.[1] ?? expect.fail(archive);
  const source = await openSource(file);
  onTestFinished(() => source.close());
  const posts: unknown[] = [];
  for await (const post of markdownPosts(source)) posts.push(post);
  expect(posts).toMatchObject([
    { kind: "post", post: { slug: "a-tide-table", author: demoLogin.author, status: "published" } },
    { kind: "post", post: { slug: "the-lock-keeper", author: demoLogin.author, status: "draft" } },
  ]);
});

/**
 * The fault of the delivery that is due next.
 * After an attempt by the server of the demo.
 */
async function attemptAt(database: SqliteDatabase, now: number): Promise<string | null | undefined> {
  const outbox = webhookOutbox({ database, webhookKey, mayBePrivate: false, clock: () => now });
  const delivery = await database.transaction(() => database.webhooks.claim(now, now));
  if (!delivery) return undefined;
  await outbox.send(delivery);
  return (await database.webhooks.latest(1))[0]?.fault;
}

test("the demo is the same for the same moment, sound, and as full as it is meant to be", async () => {
  const [first, second] = [temporaryDatabase(), temporaryDatabase()];
  const folder = mediaFolder(media);
  // Over those of the command, as after a start that broke off.
  const images = await drawImages(folder);
  await seedDemo(first, morning, webhookKey, images);
  await seedDemo(second, morning, webhookKey, images);
  expect(contentHash(first)).toBe(contentHash(second));
  expect(await integrityFaults(first)).toEqual([]);

  const posts = (await listPosts({ database: first }, { sort: "newest", limit: 100 }))?.items ?? [];
  expect(posts).toHaveLength(24);
  const ratings = posts.map(({ counts }) => scoreFrom(counts).count);
  expect(ratings.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(4_000);
  expect(posts.filter(({ counts }) => counts.join() === "0,0,0,0,0,0")).toHaveLength(1);
  expect(posts.filter(({ counts }) => counts.join() === "1,0,0,0,0,0")).toHaveLength(1);
  expect(posts.filter(({ title }) => /\p{Script=Arabic}/u.test(title))).toHaveLength(5);
  expect(posts.every(({ createdAt }) => createdAt < morning)).toBe(true);

  expect(posts.every(({ isUnlisted }) => !isUnlisted)).toBe(true);
  const author = (await first.users.byUsernameKey(demoLogin.author)) ?? expect.fail();
  expect(await first.posts.draftsOf(author.id, 10)).toMatchObject([
    { title: "Opening the sluice in spring", publishAt: morning + 3 * 86_400_000 },
    { title: "What the gauge board does not say", publishAt: null },
  ]);
  expect(await first.posts.bySlug("a-bottle-and-a-watch")).toMatchObject({ isUnlisted: true });
  expect((await first.tagLists.listedTags(100)).map(({ name }) => name)).toEqual(
    expect.arrayContaining(["measuring", "weirs", "آب"]),
  );
  expect(posts.filter(({ cover }) => cover !== null).map(({ slug }) => slug)).toHaveLength(2);
  const files: string[] = [];
  for await (const { file } of folder.list()) files.push(file);
  const imageNamed = (name: DrawingName) => images.get(name) ?? expect.fail();
  const [logo, darkLogo, icon] = [imageNamed("logo"), imageNamed("darkLogo"), imageNamed("icon")];
  const icons = iconSides.map((side) => iconAddress(icon, side).slice(mediaPath.length));
  expect(files.toSorted()).toEqual([...[...images.values()].flatMap(filesOf), ...icons].toSorted());

  const flooded: typeof posts = [];
  for (const post of posts)
    if ((await first.attempts.latest(post.id, 1_000)).some(({ allowed }) => !allowed)) flooded.push(post);
  expect(flooded.map(({ author }) => author)).toEqual([demoLogin.author]);
  const held = posts.filter(({ windowCount }) => windowCount > 0);
  expect(held.map(({ author }) => author)).toEqual([demoLogin.author, "folio"]);
  const windows = (await Promise.all(held.map(({ id }) => first.floodWindows.all(id)))).flat();
  expect(windows.map(({ status, counts }) => [status, counts[0]])).toEqual([
    ["held", 130],
    ["excluded", 132],
  ]);
  expect(windows[1]).toMatchObject({ decidedBy: "person" });
  for (const { id } of held)
    expect(await first.ratings.raters(id, 1, 200)).toContainEqual(
      expect.objectContaining({ username: demoLogin.reader, score: 0 }),
    );
  for (const { id } of flooded) expect((await first.attempts.span(id)).last ?? 0).toBeLessThan(morning);

  expect(await first.siteSettings.all()).toEqual(
    new Map(
      Object.entries({
        SITE_NAME: "Still Water",
        SITE_TAGLINE: "Notes on rivers, weirs and people who measure water",
        WHO_MAY_WRITE: "approved",
        FOOTER_LINKS: "About /posts/what-a-weir-does",
        PRIVACY_NOTE: "This is a demonstration. Its people and their emails are invented, and it sends none.",
        ACCENT_COLOUR: "#1f6b66",
        ACCENT_COLOUR_DARK: "#7fc8c0",
        SITE_LOGO: imageAddress(logo),
        SITE_LOGO_DARK: imageAddress(darkLogo),
        SITE_ICON: imageAddress(icon),
      }),
    ),
  );
  const empty = Object.values(schema)
    .map((table) => getTableConfig(table).name)
    .filter((name) => first.sqlite.prepare(`select 1 from "${name}"`).get() === undefined);
  expect(empty.toSorted()).toEqual(emptyTables.toSorted());
  expect(await first.posts.presentSlug("reading-a-notch")).toBe("reading-a-v-notch");
  const changed = (await first.posts.bySlug("reading-a-v-notch")) ?? expect.fail();
  expect(await first.postRevisions.ofPost(changed.id)).toMatchObject([{ title: "Reading a notch" }]);
  expect(await first.subscribers.count()).toBe(5);
  expect(await first.mails.figures()).toMatchObject({
    ...{ waiting: 0, givenUp: 2 },
    fault: "EENVELOPE: 550 5.1.1 <[address]>: Recipient address rejected",
  });
  const mails = Object.groupBy(await first.mails.all(), ({ kind }) => kind);
  expect(Object.entries(mails).map(([kind, all]) => [kind, all.length])).toEqual([
    ["test", 1],
    ["email-changed", 1],
    ["new-posts", 5],
    ["flood", 1],
    ["confirm-new-email", 1],
    ["email-change", 1],
    ["confirm-registration", 1],
    ["undecided-floods", 1],
  ]);
  for (const { createdAt, finishedAt } of await first.mails.all()) {
    expect(createdAt).toBeGreaterThan(morning - mailsKeptMs);
    expect(finishedAt).toBeLessThan(morning);
  }
  const context = { database: first, mail: mailSettings, holdMs: scoringDefaults.holdMs };
  await queueNewPostMails(context, morning);
  await queueFloodMails(context, morning);
  await undecidedMailer(context)(morning + 86_400_000);
  expect(await first.mails.waiting(1)).toBe(0);
  expect(await first.users.requestingToWrite(9)).toMatchObject([{ username: demoLogin.reader }]);
  expect(await first.invitations.latest(9)).toMatchObject([{ createdBy: "keeper", makesWriter: true }]);
  const [off, failing] = await first.webhooks.all();
  expect(await first.webhooks.all()).toMatchObject([
    { disabledWhy: "administrator" },
    { disabledWhy: null, lastResult: "ECONNREFUSED" },
  ]);
  expect(await first.webhooks.deliveriesOf(off?.id ?? 0, { limit: 9 })).toMatchObject([
    { event: "webhook.test", attempts: 0, fault: "turned off", dueAt: null },
  ]);
  expect(await first.webhooks.deliveriesOf(failing?.id ?? 0, { limit: 9 })).toMatchObject([
    { event: "flood.decided", attempts: 3, fault: "ECONNREFUSED", finishedAt: null },
    { event: "webhook.test", attempts: 1, fault: null, dueAt: null },
  ]);
  expect(await first.webhooks.isDue(morning)).toBe(false);
  expect(await attemptAt(first, morning + 86_400_000)).toContain("private network");
  const roles = { moderator: { isModerator: true }, author: { isWriter: true }, reader: { isWriter: false } };
  for (const [role, flags] of Object.entries(roles))
    expect(await first.users.byUsernameKey(Reflect.get(demoLogin, role))).toMatchObject(flags);
  const reader = await first.users.byUsernameKey(demoLogin.reader);
  expect(await first.bookmarks.count(reader?.id ?? 0)).toBe(2);
  const moderator = await first.users.byUsernameKey(demoLogin.moderator);
  const chosen = async (id = 0) => [...((await chosenMailsOf(context, id))?.chosen ?? [])];
  expect(await Promise.all([author.id, moderator?.id, reader?.id].map(chosen))).toEqual([
    ["floods"],
    ["undecided"],
    ["decisions"],
  ]);
  expect(await first.emailChanges.of(reader?.id ?? 0, morning)).toMatchObject({ email: "ash@example.net" });
  expect(await first.mailLinks.formerAddressesOf(moderator?.id ?? 0)).toMatchObject([
    { address: "warden@example.net" },
  ]);
  expect(await first.pendingRegistrations.open(lostTokenHash, morning)).toMatchObject({
    username: "bulrush",
  });

  for (const username of [demoLogin.author, demoLogin.administrator]) {
    const input = { username, password: demoLogin.password };
    const request = { input, address: "192.0.2.1", now: morning };
    expect(await logIn(contextOf(first), request)).toMatchObject({
      kind: "logged-in",
      user: { isAdministrator: username === demoLogin.administrator },
    });
  }
});

test.each([
  [
    "an error in the middle",
    "create trigger fails after insert on attempts when new.id = 2000 begin select raise(abort, 'no room'); end",
    "drop trigger fails",
    "no room",
  ],
  [
    "a disk that is full in the middle",
    "pragma max_page_count = 200",
    "pragma max_page_count = 1000000",
    "database or disk is full",
  ],
])(
  "After %s nothing of the demo is there, and another try fills it as ever",
  async (_, cause, end, message) => {
    const url = temporaryDatabaseUrl();
    const [database, onlooker] = [temporaryDatabase(url), temporaryDatabase(url)];
    database.sqlite.exec(cause);
    await expect(seedDemo(database, morning, webhookKey)).rejects.toThrow(message);
    for (const { sqlite } of [database, onlooker])
      for (const table of tables) expect(sqlite.prepare(`select * from ${table}`).all(), table).toEqual([]);

    database.sqlite.exec(end);
    await seedDemo(database, morning, webhookKey);
    const undisturbed = temporaryDatabase();
    await seedDemo(undisturbed, morning, webhookKey);
    expect(contentHash(onlooker)).toBe(contentHash(undisturbed));
  },
);

/** Tables of which the demo shows nothing. */
const emptyTables = [
  // Its visitors fill these by logging in, and on the pages of their accounts.
  ...["sessions", "totp_secrets", "recovery_codes", "passkeys"],
  // A running server does: its own state, and work in the background.
  ...["media_folder", "nodes", "replay_claims", "trusted_time", "removals"],
  // Only with other settings: NEW_ACCOUNT_HOURS, and a limit in shadow mode.
  ...["waiting_ratings", "shadow_decisions", "shadow_counts"],
];

const tables = [
  "users",
  "posts",
  "post_contents",
  "tags",
  "post_tags",
  "media",
  "post_media",
  "ratings",
  "former_raters",
  "rating_days",
  "flood_windows",
  "window_decisions",
  "attempts",
  "shadow_decisions",
  "attempt_counts",
  "shadow_counts",
  "limiter_states",
];

/** A hash over every row of every table. */
function contentHash({ sqlite }: SqliteDatabase): string {
  const hash = createHash("sha256");
  for (const table of tables)
    hash.update(JSON.stringify(sqlite.prepare(`select * from ${table} order by 1, 2`).all()));
  return hash.digest("hex");
}
