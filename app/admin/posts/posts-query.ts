import { parameterFrom, type QueryParameters, searchFrom } from "@/app/_components/search-text";
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
export function postsQueryFrom(parameters: QueryParameters): PostsQuery {
  return {
    search: searchFrom(parameters, "q"),
    kind: postKinds.find((kind) => kind === parameterFrom(parameters, "kind")),
    cursor: parameterFrom(parameters, "cursor"),
  };
}

/** The address of a page of the list. */
export function postsPath({ search, kind, cursor }: PostsQuery): string {
  return pathWith("/admin/posts", { q: search, kind: kind === "all" ? undefined : kind, cursor });
}
