import { pathWith } from "@/lib/paths";
import { type PostKind, postKinds } from "@/lib/posts/administration";

export const postAdminPath = (slug: string) => `/admin/posts/${encodeURIComponent(slug)}`;

export interface PostsQuery {
  search?: string | undefined;
  kind?: PostKind | undefined;
  /** The previous page's `next`. */
  cursor?: string | undefined;
}

/** Reads the page's address; bad parameters are left out. */
export function postsQueryFrom(parameters: Record<string, string | string[] | undefined>): PostsQuery {
  const one = (name: string) => [parameters[name]].flat()[0];
  const search = one("q")?.toWellFormed().trim().slice(0, 200);
  return {
    search: search || undefined,
    kind: postKinds.find((kind) => kind === one("kind")),
    cursor: one("cursor"),
  };
}

/** The address of a page of the list. */
export function postsPath({ search, kind, cursor }: PostsQuery): string {
  return pathWith("/admin/posts", { q: search, kind: kind === "all" ? undefined : kind, cursor });
}
