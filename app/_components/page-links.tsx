import { translator } from "@/lib/i18n";

interface PageLinksProps {
  /** The path of the first page; none on itself. */
  first: string | undefined;
  /** The path of the next page; none on the last. */
  next: string | null;
  /** The text of the link to the next page; "More posts" unless set. */
  nextText?: string;
  /** The text of the link to the first page; "First page" unless set. */
  firstText?: string;
  /** The accessible name of the links; "Pages" unless set. */
  label?: string;
}

/** The links under one page of a long list. */
export function PageLinks({ first, next, nextText, firstText, label }: PageLinksProps) {
  if (!first && !next) return null;
  const t = translator("home");
  return (
    <nav aria-label={label ?? t("pages")} className="mt-6 flex justify-between">
      {first ? <a href={first}>{firstText ?? t("firstPage")}</a> : <span />}
      {next && (
        <a href={next} rel="next">
          {nextText ?? t("morePosts")}
        </a>
      )}
    </nav>
  );
}
