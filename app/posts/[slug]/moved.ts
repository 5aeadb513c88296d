import { permanentRedirect } from "next/navigation";
import { notFoundPage } from "@/app/_components/no-page";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { postPath, textFromPath } from "@/lib/paths";
import { presentSlugOf } from "@/lib/posts";
import { requestTarget } from "@/lib/request/current-request";

/**
 * The answer for a slug that no post has.
 * A redirect where a post had it before, otherwise the page of a 404.
 * `part` is the slug as it is in the path, `subpath` the rest of the path.
 */
export async function movedOrMissing(part: string, subpath = "") {
  const slug = textFromPath(part);
  const present = slug === null ? null : await presentSlugOf(app(), slug, await getUser());
  if (present === null) return notFoundPage();
  const { search } = new URL(requestTarget(), "http://weir.invalid");
  return permanentRedirect(postPath(present) + subpath + search);
}
