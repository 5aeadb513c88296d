import { translator } from "@/lib/i18n";
import { StaticPart } from "./_components/static-part";

/** The framework renders it beside every page. */
export default function NotFound() {
  return <StaticPart as="div" className="py-8" of={Words} items={[{}]} />;
}

function Words() {
  const t = translator("errors");
  return (
    <>
      <h1 className="page-title">{t("notFound")}</h1>
      <p className="mt-4 max-w-prose text-quiet">
        {t.rich("notFoundHelp", { link: (chunks) => <a href="/">{chunks}</a> })}
      </p>
    </>
  );
}
