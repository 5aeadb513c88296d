import { translator } from "@/lib/i18n";

export default function NotFound() {
  const t = translator("errors");
  return (
    <div className="py-8">
      <h1 className="page-title">{t("notFound")}</h1>
      <p className="mt-4 max-w-prose text-quiet">
        {t.rich("notFoundHelp", { link: (chunks) => <a href="/">{chunks}</a> })}
      </p>
    </div>
  );
}
