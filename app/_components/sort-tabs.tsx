import { translator } from "@/lib/i18n";
import { pathWith } from "@/lib/paths";
import { type Sort, sorts } from "@/lib/posts";
import { parameterFrom, type QueryParameters } from "./search-text";

/** The order of a list of posts, and links to the others. */
export function SortTabs({ sort, path, search }: { sort: Sort; path: string; search?: string }) {
  const t = translator("home");
  return (
    <nav aria-label={t("order")} className="tabs">
      {sorts.map((each) => (
        <a
          key={each}
          href={listPath(path, { sort: each, search })}
          aria-current={each === sort ? "page" : undefined}
        >
          {t(`sort.${each}`)}
        </a>
      ))}
    </nav>
  );
}

/** The order in a query string; undefined for an unknown one. */
export function sortFrom(parameters: QueryParameters): Sort | undefined {
  const requested = parameterFrom(parameters, "sort") ?? "newest";
  return sorts.find((each) => each === requested);
}

/** The address of a page of a list of posts. */
export function listPath(
  path: string,
  { sort, search, cursor }: { sort: Sort; search?: string | undefined; cursor?: string },
): string {
  return pathWith(path, { sort: sort === "newest" ? undefined : sort, q: search, cursor });
}
