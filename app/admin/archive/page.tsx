import { FileField } from "@/app/_components/form-fields";
import { forbiddenPage } from "@/app/_components/no-page";
import { Section } from "@/app/_components/section";
import { translator } from "@/lib/i18n";
import { archiveMaximumBytes } from "@/lib/import-uploads/uploads";
import { declareNoScripts } from "@/lib/request/current-request";
import { AdminFrame, administratorAt } from "../frame";

export function generateMetadata() {
  return { title: translator("archive")("title"), robots: { index: false } };
}

const problems = ["too-large", "empty", "disk-full", "incomplete", "gone"] as const;

/** The whole site as a download, and posts of other blogs as an upload. */
export default async function ArchivePage({ searchParams }: PageProps<"/admin/archive">) {
  const user = await administratorAt("/admin/archive");
  if (!user) return forbiddenPage();
  declareNoScripts();
  const t = translator("archive");
  const code = (chunks: React.ReactNode) => (
    <code dir="ltr" className="whitespace-nowrap">
      {chunks}
    </code>
  );
  const { problem } = await searchParams;
  const shown = problems.find((each) => each === problem);
  return (
    <AdminFrame user={user} page="settings" title={t("title")}>
      <p className="mt-3 max-w-prose text-quiet">{t("intro")}</p>
      <p role="status" className="mt-4 border-s-2 border-amber ps-3 empty:hidden">
        {shown && t(`problem.${shown}`)}
      </p>
      <Section title={t("export.title")}>
        <p className="max-w-prose">{t("export.intro")}</p>
        <form action="/site-export.zip" className="mt-4 flex flex-col gap-4">
          <label className="flex min-h-9 items-center gap-2.5">
            <input type="checkbox" name="emails" value="yes" className="size-4 shrink-0 accent-water" />
            <span>{t("export.emails")}</span>
          </label>
          <div>
            <button type="submit" className="button">
              {t("export.button")}
            </button>
          </div>
        </form>
        <p className="mt-4 max-w-prose text-sm text-quiet">{t.rich("export.backup", { code })}</p>
      </Section>
      <Section title={t("import.title")}>
        <p className="max-w-prose">{t("import.intro")}</p>
        <form
          action="/admin/archive/uploads"
          method="post"
          encType="multipart/form-data"
          className="mt-4 flex max-w-lg flex-col gap-4"
        >
          <FileField
            label={t("import.file")}
            name="archive"
            accept=".zip,.json,.xml,.md,.markdown"
            help={t.rich("import.fileHelp", { megabytes: archiveMaximumBytes / 1024 / 1024, code })}
            maximumBytes={archiveMaximumBytes}
            tooLarge={t("problem.too-large")}
          />
          <div>
            <button type="submit" className="button" data-pending={t("import.uploading")}>
              {t("import.upload")}
            </button>
          </div>
          <div role="status" className="contents" />
        </form>
        <p className="mt-4 text-sm text-quiet">{t("import.afterwards")}</p>
      </Section>
    </AdminFrame>
  );
}
