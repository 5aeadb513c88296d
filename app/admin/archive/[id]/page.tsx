import { redirect } from "next/navigation";
import { Form } from "@/app/_components/form";
import { ChoiceButton, Choices, Field } from "@/app/_components/form-fields";
import { forbiddenPage } from "@/app/_components/no-page";
import { Section } from "@/app/_components/section";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { importFormats, importResults } from "@/lib/import-uploads/kinds";
import { archiveAt, type ImportReport, isRunning, readReport } from "@/lib/import-uploads/uploads";
import { postPath } from "@/lib/paths";
import { currentTime } from "@/lib/time/current-time";
import { AdminFrame, administratorAt } from "../../frame";
import { start } from "./actions";

export function generateMetadata() {
  return { title: translator("archive")("run.title"), robots: { index: false } };
}

/** How often the page of a running import reloads, in seconds. */
const reloadSeconds = 3;

/** One uploaded archive: its format and authors, a trial, and the import. */
export default async function ImportPage({ params }: PageProps<"/admin/archive/[id]">) {
  const { id } = await params;
  const user = await administratorAt(`/admin/archive/${id}`);
  if (!user) return forbiddenPage();
  const { mediaFolder } = app();
  if (!(await archiveAt(mediaFolder, id))) redirect("/admin/archive?problem=gone");
  const report = await readReport(mediaFolder, id);
  const t = translator("archive");
  const isBusy = report !== undefined && isRunning(report, currentTime());
  return (
    <AdminFrame user={user} page="settings" title={t("run.title")}>
      <p className="mt-2 text-sm text-quiet">
        <a href="/admin/archive">{t("title")}</a>
      </p>
      {isBusy ? (
        <>
          <meta httpEquiv="refresh" content={String(reloadSeconds)} />
          <p role="status" className="mt-6">
            {t(report.isTrial ? "run.running" : "run.importing")}
          </p>
          <Counts report={report} />
          <p className="mt-4">
            <a href={`/admin/archive/${id}`}>{t("run.reload")}</a>
          </p>
        </>
      ) : (
        <>
          {report && <Outcome report={report} />}
          <Form key={report?.at} action={start.bind(null, id)} className="mt-8 flex max-w-lg flex-col gap-6">
            <Choices
              legend={t("run.format")}
              name="format"
              type="radio"
              chosen={report?.format ?? "markdown"}
              choices={importFormats.map((value) => ({ value, label: t(`run.formats.${value}`) }))}
            />
            <Authors authors={report?.authors ?? []} />
            <div className="flex flex-wrap gap-3">
              <ChoiceButton name="step" value="trial" pending={t("run.starting")}>
                {t(report ? "run.checkAgain" : "run.check")}
              </ChoiceButton>
              {report?.state === "done" && (
                <ChoiceButton name="step" value="import" pending={t("run.starting")}>
                  {t("run.import")}
                </ChoiceButton>
              )}
            </div>
          </Form>
          {report && <Lines report={report} />}
        </>
      )}
    </AdminFrame>
  );
}

/** How the last trial or import ended. */
function Outcome({ report }: { report: ImportReport }) {
  const t = translator("archive");
  const { state, isTrial, problem } = report;
  const text =
    state === "running"
      ? t("run.broken")
      : state === "failed"
        ? (problem ?? t("run.failed"))
        : t(isTrial ? "run.checked" : "run.done");
  return (
    <>
      <p
        role="status"
        className={`mt-6 border-s-2 ps-3 ${state === "done" ? "border-water" : "border-amber"}`}
      >
        {text}
      </p>
      <Counts report={report} />
    </>
  );
}

function Counts({ report: { counts } }: { report: ImportReport }) {
  const t = translator("archive");
  const shown = importResults.filter((result) => counts[result] > 0);
  if (shown.length === 0) return null;
  return (
    <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-1">
      {shown.map((result) => (
        <li key={result}>{t(`run.counts.${result}`, { count: counts[result] })}</li>
      ))}
    </ul>
  );
}

/** The accounts that get the posts of the archive's authors. */
function Authors({ authors }: Pick<ImportReport, "authors">) {
  const t = translator("archive");
  if (authors.length === 0) return null;
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="font-medium">{t("run.authors")}</legend>
      <p className="text-sm text-quiet">{t("run.authorsHelp")}</p>
      {authors.map(({ name, posts, account }, index) => (
        <div key={name}>
          <input type="hidden" name={`name-${index}`} value={name} />
          <Field
            label={name === "" ? t("run.noAuthor", { posts }) : t("run.author", { name, posts })}
            name={`account-${index}`}
            defaultValue={account}
            autoComplete="off"
            optional
          />
        </div>
      ))}
    </fieldset>
  );
}

/** The posts that need attention. */
function Lines({ report: { lines, more } }: { report: ImportReport }) {
  const t = translator("archive");
  return (
    <Section title={t("run.report")}>
      {lines.length === 0 && <p>{t("run.nothing")}</p>}
      <ul className="divide-y divide-hairline">
        {lines.map(({ source, result, slug, reason, notes }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be of one file, and none moves
          <li key={index} className="py-3">
            <p className="wrap-anywhere">
              <bdi className="font-medium">
                {result === "imported" && slug ? <a href={postPath(slug)}>{source}</a> : source}
              </bdi>
              <span
                className={result === "failed" ? "text-wrong" : "text-quiet"}
              >{` · ${t(`run.results.${result}`)}`}</span>
            </p>
            {[reason ?? [], ...notes].flat().map((text) => (
              <p key={text} className="text-sm text-quiet wrap-anywhere">
                {text}
              </p>
            ))}
          </li>
        ))}
      </ul>
      {more > 0 && <p className="mt-4 text-sm text-quiet">{t("run.more", { count: more })}</p>}
    </Section>
  );
}
