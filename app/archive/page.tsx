import type { Metadata } from "next";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { archivePath } from "@/lib/paths";
import { archivedYears } from "@/lib/posts/archive";
import { declareNoScripts } from "@/lib/request/current-request";
import { feedLinks } from "../site-metadata";
import { yearText } from "./year-text";

export function generateMetadata(): Metadata {
  const title = translator("reading")("archive.title");
  return { title, alternates: { canonical: archivePath(), types: feedLinks() } };
}

/** The years that have posts. */
export default async function ArchivePage() {
  declareNoScripts();
  const t = translator("reading");
  const years = await archivedYears(app());
  return (
    <>
      <h1 className="page-title">{t("archive.title")}</h1>
      <p className="mt-3 mb-8 text-quiet">{t("archive.years")}</p>
      {years.length === 0 && <p className="border-y border-hairline py-8 text-quiet">{t("archive.none")}</p>}
      <ul className="divide-y divide-hairline border-hairline border-y empty:hidden">
        {years.map(({ year, posts }) => (
          <li key={year} className="flex flex-wrap items-baseline justify-between gap-x-4 py-3">
            <a href={archivePath(year)} className="font-medium">
              {t("archive.year", { year: yearText(year) })}
            </a>
            <span className="text-sm text-quiet">{t("archive.count", { count: posts })}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
