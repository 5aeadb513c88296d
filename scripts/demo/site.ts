/** The actions of the demo's people, besides posts and ratings. */
import type { Database } from "../../db/index.ts";
import { setBookmark } from "../../lib/bookmarks/index.ts";
import { changeSettings } from "../../lib/site/change.ts";
import type { User } from "../../lib/users/index.ts";
import { invite } from "../../lib/users/invitations.ts";
import { changeRole } from "../../lib/users/people.ts";
import { requestToWrite } from "../../lib/users/writers.ts";
import { addWebhook, changeWebhook } from "../../lib/webhooks/manage.ts";
import { demoLogin } from "./plan.ts";

const hourMs = 3_600_000;

interface DemoSite {
  database: Database;
  administrator: User;
  /** A reader who requests to write. */
  reader: User;
  webhookKey: () => Buffer;
  now: number;
}

/**
 * Sets up the site.
 * Settings, a moderator, a request to write, an invitation, a webhook that is off, and posts saved for later.
 */
export async function setUpSite(site: DemoSite): Promise<void> {
  const { database, administrator: actor, reader, webhookKey, now } = site;
  const texts = {
    SITE_NAME: "Still Water",
    SITE_TAGLINE: "Notes on rivers, weirs and people who measure water",
    WHO_MAY_WRITE: "approved",
    FOOTER_LINKS: "About /posts/what-a-weir-does",
  };
  await changeSettings({ database }, { actor, texts, now: now - 119 * 24 * hourMs });
  const moderating = { role: "moderator", why: "Decides on floods while I am away." };
  const at = now - 30 * hourMs;
  await changeRole({ database }, { actor, username: demoLogin.moderator, input: moderating, now: at });
  const webhooks = { database, webhookKey, webhooksMayBePrivate: false };
  const hook = { url: "https://example.org/weir", events: ["post.published", "flood.opened"] };
  const added = await addWebhook(webhooks, { actor, input: hook, now: at });
  if (added.kind === "added")
    await changeWebhook(webhooks, { actor, id: added.id, input: { isOn: false }, now: at });
  await requestToWrite({ database, whoMayWrite: "approved" }, { user: reader, now: now - 3 * hourMs });
  const invited = { note: "For the river society", role: "writer", days: "30" };
  await invite({ database }, { actor, input: invited, now: now - 2 * hourMs });
  for (const slug of ["what-a-weir-does", "why-canals-have-locks"])
    await setBookmark({ database }, { user: reader, slug, isSaved: true, now: at });
}
