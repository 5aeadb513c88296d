import { translator } from "@/lib/i18n";
import { type Sort, sorts } from "@/lib/posts";

/** The order of a list of posts, and links to the others. */
export function SortTabs({ sort, pathOf }: { sort: Sort; pathOf: (sort: Sort) => string }) {
  const t = translator("home");
  return (
    <nav aria-label={t("order")} className="tabs">
      {sorts.map((each) => (
        <a key={each} href={pathOf(each)} aria-current={each === sort ? "page" : undefined}>
          {t(`sort.${each}`)}
        </a>
      ))}
    </nav>
  );
}

/** The order in a query string; undefined for an unknown one. */
export function sortFrom(sent: string | string[] | undefined): Sort | undefined {
  const requested = (Array.isArray(sent) ? sent[0] : sent) ?? "newest";
  return sorts.find((each) => each === requested);
}
