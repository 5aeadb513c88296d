import { translator } from "@/lib/i18n";

export default function Forbidden() {
  const t = translator("errors");
  return (
    <div className="py-8">
      <h1 className="page-title">{t("forbidden")}</h1>
      <p className="mt-4 max-w-prose text-quiet">
        {t.rich("forbiddenHelp", { link: (chunks) => <a href="/">{chunks}</a> })}
      </p>
    </div>
  );
}
