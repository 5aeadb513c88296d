import { translator } from "@/lib/i18n";

interface NumberedPagesProps {
  /** The name of the links. */
  label: string;
  page: number;
  pages: number;
  pathOf: (page: number) => string;
}

/** Links to the pages before and after one page of a list. */
export function NumberedPages({ label, page, pages, pathOf }: NumberedPagesProps) {
  if (pages <= 1) return null;
  const t = translator("adminPeople");
  return (
    <nav aria-label={label} className="mb-6 flex flex-wrap gap-5 text-[0.9375rem]">
      {page > 1 && <a href={pathOf(page - 1)}>{t("previous")}</a>}
      <span className="text-quiet">{t("page", { page, pages })}</span>
      {page < pages && <a href={pathOf(page + 1)}>{t("next")}</a>}
    </nav>
  );
}
