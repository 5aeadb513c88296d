/** The actions of the demo's people, besides posts and ratings. */
import type { Database } from "../../db/index.ts";
import { moveSomeRatings, setDisabled } from "../../lib/account-changes/index.ts";
import { setBookmark } from "../../lib/bookmarks/index.ts";
import { imageAddress } from "../../lib/media/address.ts";
import { decideWindow } from "../../lib/ratings/decisions/flood-window-decisions.ts";
import { scoring } from "../../lib/ratings/tally/scoring-settings.ts";
import { changeSettings } from "../../lib/site/change.ts";
import { hourMs } from "../../lib/time/units.ts";
import type { User } from "../../lib/users/index.ts";
import { invite } from "../../lib/users/invitations.ts";
import { changeRole } from "../../lib/users/people.ts";
import { requestToWrite } from "../../lib/users/writers.ts";
import { pausesMs } from "../../lib/webhooks/deliver.ts";
import { addWebhook, changeWebhook, testWebhook } from "../../lib/webhooks/manage.ts";
import type { DrawingName, DrawnImage } from "./drawings.ts";
import { addMails, lostTokenHash } from "./mail.ts";
import { decidedFlood, demoLogin, disabledReader } from "./plan.ts";

interface DemoSite {
  database: Database;
  administrator: User;
  moderator: User;
  author: User;
  /** A reader who requests to write. */
  reader: User;
  webhookKey: () => Buffer;
  images: ReadonlyMap<DrawingName, DrawnImage>;
  now: number;
}

/**
 * Sets up the site.
 * Settings, logos and an icon, a moderator, a decided flood whose author wants it reviewed, a disabled account, a request
 * to write, an invitation, a webhook that is off and one that fails, an API token, subscribers and other mails, and posts
 * saved for later.
 */
export async function setUpSite(site: DemoSite): Promise<void> {
  const { database, administrator: actor, reader, now } = site;
  const texts = {
    SITE_NAME: "Still Water",
    SITE_TAGLINE: "Notes on rivers, weirs and people who measure water",
    WHO_MAY_WRITE: "approved",
    FOOTER_LINKS: "About /posts/what-a-weir-does",
    PRIVACY_NOTE: "This is a demonstration. Its people and their emails are invented, and it sends none.",
    ACCENT_COLOUR: "#1f6b66",
    ACCENT_COLOUR_DARK: "#7fc8c0",
  };
  const settings = await changeSettings({ database }, { actor, texts, now: now - 119 * 24 * hourMs });
  if (settings.kind !== "saved") throw new Error("The settings were not saved.");
  await addSiteImages(site);
  const moderating = { role: "moderator", why: "Decides on floods while I am away." };
  const at = now - 30 * hourMs;
  await changeRole({ database }, { actor, username: demoLogin.moderator, input: moderating, now: at });
  await addWebhooks(site, at);
  await disableReader(site, at);
  await excludeFlood(site);
  await requestReview(site);
  await failDelivery(site);
  await addMails(site);
  await requestToWrite({ database, whoMayWrite: "approved" }, { user: reader, now: now - 3 * hourMs });
  await addToken(site);
  const invited = { note: "For the river society", role: "writer", days: "30" };
  await invite({ database }, { actor, input: invited, now: now - 2 * hourMs });
  for (const slug of ["what-a-weir-does", "why-canals-have-locks"])
    await setBookmark({ database }, { user: reader, slug, isSaved: true, now: at });
}

/** The logos and the icon, uploaded by the administrator. */
async function addSiteImages({ database, images, now }: DemoSite): Promise<void> {
  for (const [name, setting] of [
    ["logo", "SITE_LOGO"],
    ["darkLogo", "SITE_LOGO_DARK"],
    ["icon", "SITE_ICON"],
  ] as const) {
    const image = images.get(name);
    if (!image) continue;
    await database.media.insert({ ...image, userId: null, createdAt: now - 118 * 24 * hourMs });
    await database.siteSettings.save(new Map([[setting, imageAddress(image)]]));
  }
}

/**
 * Two webhooks: one is off, one is of a program on this machine.
 * A test of the first was given up. A test was delivered to that program. Nothing is sent there, as the address is not public.
 */
async function addWebhooks(
  { database, administrator: actor, webhookKey }: DemoSite,
  now: number,
): Promise<void> {
  const context = { database, webhookKey, webhooksMayBePrivate: false };
  const add = async (url: string, events: string[]) => {
    const added = await addWebhook(context, { actor, input: { url, events }, now });
    if (added.kind !== "added") throw new Error(`The webhook was not added: ${added.kind}.`);
    return added.id;
  };
  const off = await add("https://example.org/weir", ["post.published", "flood.opened"]);
  await testWebhook(context, { actor, id: off, now });
  await changeWebhook(context, { actor, id: off, input: { isOn: false }, now });
  const id = await add("https://127.0.0.1:8443/weir", ["flood.decided"]);
  await testWebhook(context, { actor, id, now });
  const test = await database.webhooks.claim(now, now);
  if (!test) throw new Error("The test was not queued.");
  const result = { lastAttemptAt: now + 1_000, lastResult: "HTTP 204" };
  await database.webhooks.finish(test.id, { now: result.lastAttemptAt, fault: null });
  await database.webhooks.update(id, result);
}

/**
 * The delivery of the decision waits for its fourth attempt.
 * The program has not run since the test.
 */
async function failDelivery({ database: { webhooks }, now }: DemoSite): Promise<void> {
  const fault = "ECONNREFUSED";
  for (const pauseMs of pausesMs.slice(0, 3)) {
    const delivery = await webhooks.claim(now + hourMs, now);
    if (!delivery) throw new Error("The decision was not queued.");
    const lastAttemptAt = now - hourMs / 12;
    await webhooks.retry(delivery.id, { dueAt: lastAttemptAt + pauseMs, fault });
    const failingSince = delivery.createdAt;
    await webhooks.update(delivery.webhookId, { failingSince, lastAttemptAt, lastResult: fault });
  }
}

/** The moderator excludes yesterday's flood, after the last rating of the post. */
async function excludeFlood({ database, moderator: user, now }: DemoSite): Promise<void> {
  const input = { status: "excluded", why: "The same crowd of zeros, called for in a chat group.", after: 0 };
  const request = { slug: decidedFlood, number: 1, user, input, now: now - hourMs / 6 };
  const outcome = await decideWindow({ database, scoring }, request);
  if (outcome.kind !== "decided") throw new Error(`The flood was not decided on: ${outcome.kind}.`);
}

/** The author of the excluded flood's post requests another decision. */
async function requestReview({ database, now }: DemoSite): Promise<void> {
  const post = await database.posts.idOf(decidedFlood);
  if (!post) throw new Error("The post of the flood was not published.");
  const why = "Two of them are friends of mine, who had just read the post.";
  await database.reviewRequests.insert(post.id, { window: 1, at: now - hourMs / 12, why });
}

/** A reader is disabled, and their ratings count no longer. */
async function disableReader({ database, administrator: actor }: DemoSite, now: number): Promise<void> {
  const input = { disabled: true, why: "Sells ratings; see the message of Tuesday." };
  const outcome = await setDisabled({ database }, { actor, username: disabledReader, input, now });
  if (outcome.kind !== "done") throw new Error(`The reader was not disabled: ${outcome.kind}.`);
  while (await moveSomeRatings({ database, scoring }, now));
}

/** A token of the writer, of which no one has the text. */
async function addToken({ database, author, now }: DemoSite): Promise<void> {
  const token = { name: "Notes from my phone", tokenHash: lostTokenHash, scopes: "read write" };
  const createdAt = now - 20 * 24 * hourMs;
  await database.apiTokens.insert({ ...token, userId: author.id, createdAt, expiresAt: null });
}
