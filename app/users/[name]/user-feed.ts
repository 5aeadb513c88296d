import type { FeedSource } from "@/app/feed";
import { siteName } from "@/app/site-metadata";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { textFromPath, userPath } from "@/lib/paths";
import { profileOf } from "@/lib/users";

/** The feed of a user's posts; null without the user. */
export async function userFeed(part: string): Promise<FeedSource | null> {
  const name = textFromPath(part);
  const profile = name === null ? null : await profileOf(app(), name);
  if (!profile) return null;
  const { id, username } = profile;
  const title = `${translator("profile")("postsBy", { name: username })} · ${siteName()}`;
  return { title, path: userPath(username), authorId: id };
}
