"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { loggedOut, sentForm, sentName } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { bookmarksMaximum, setBookmark } from "@/lib/bookmarks";
import { translator } from "@/lib/i18n";
import { postPath } from "@/lib/paths";
import { isFromScript, requestTarget } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";

/** Saves a post for later, or removes it, on the post's page. */
export async function bookmarkPost(sent: string, isSaved: boolean): Promise<FormState> {
  const slug = sentName(sent);
  return changeBookmark(slug, isSaved === true, `${postPath(slug)}#save`);
}

/** Removes the post of the pressed button from the list of those saved. */
export async function removeBookmark(_: FormState, form: FormData): Promise<FormState> {
  const list = "/account/bookmarks";
  const target = requestTarget();
  const page = target.startsWith(`${list}?`) ? target : list;
  return changeBookmark(sentName(sentForm(form).get("post")), false, page);
}

/** Without a script, leads to `path` afterwards. */
async function changeBookmark(slug: string, isSaved: boolean, path: string): Promise<FormState> {
  const user = await getUser();
  if (!user) return loggedOut(path);
  const outcome = await setBookmark(app(), { user, slug, isSaved, now: currentTime() });
  switch (outcome.kind) {
    case "not-logged-in":
      return loggedOut(path);
    case "too-many-bookmarks":
      return { errors: { form: [translator("reading")("saved.full", { maximum: bookmarksMaximum })] } };
    case "saved":
    case "removed":
    case "no-such-post": // deleted meanwhile, which the page shows
      if (!isFromScript()) redirect(path);
      refresh();
      return {};
  }
}
