import type { Metadata } from "next";
import { EndSessionForm } from "@/app/_components/end-session-form";
import { Form } from "@/app/_components/form";
import { SubmitButton } from "@/app/_components/form-fields";
import { OwnPasswordField } from "@/app/_components/own-password-field";
import { Section } from "@/app/_components/section";
import { isPermitted } from "@/lib/account-export";
import { app } from "@/lib/app";
import { requireSession } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { currentTime } from "@/lib/time/current-time";
import { AccountLink } from "../account-link";
import { deleteAccount, requestExport } from "../actions";

export async function generateMetadata({ searchParams }: PageProps<"/account/export">): Promise<Metadata> {
  return { title: titleFor((await searchParams).leave), robots: { index: false } };
}

function titleFor(leave: unknown): string {
  return translator("account")(leave === "yes" ? "deletion.title" : "export.link");
}

/** The user's own data: the password, the download, and the deletion to leave. */
export default async function ExportPage({ searchParams }: PageProps<"/account/export">) {
  const { user } = await requireSession("/account/export");
  const { ticket, leave } = await searchParams;
  const isLeaving = leave === "yes";
  const now = currentTime();
  const isReady = typeof ticket === "string" && (await isPermitted(app(), { user, ticket, now }));
  const t = translator("account");
  const copy = (
    <>
      <p className="max-w-prose">{t("export.intro")}</p>
      <p className="mt-3 max-w-prose text-quiet">{t("export.contents")}</p>
      {isReady ? (
        <div className="mt-8">
          <p role="status">{t("export.ready")}</p>
          <p className="mt-4">
            <a href={`/account-data.zip?ticket=${encodeURIComponent(ticket)}`} download className="button">
              {t("export.download")}
            </a>
          </p>
          {!isLeaving && (
            <p className="mt-8 text-quiet">
              {t.rich("export.thenDelete", {
                link: (text) => (
                  <a href={`/account/export?ticket=${encodeURIComponent(ticket)}&leave=yes`}>{text}</a>
                ),
              })}
            </p>
          )}
        </div>
      ) : (
        <>
          {ticket !== undefined && (
            <p role="status" className="mt-6 border-s-2 border-amber ps-3">
              {t("export.expired")}
            </p>
          )}
          <Form action={requestExport} className="mt-8 flex max-w-sm flex-col gap-5">
            {isLeaving && <input type="hidden" name="leave" value="yes" />}
            <OwnPasswordField />
            <div>
              <SubmitButton pending={t("export.beginning")}>{t("export.begin")}</SubmitButton>
            </div>
          </Form>
        </>
      )}
    </>
  );
  return (
    <>
      <AccountLink />
      <h1 className="page-title">{titleFor(leave)}</h1>
      {isLeaving ? <Section title={t("export.link")}>{copy}</Section> : <div className="mt-4">{copy}</div>}
      {/* Also once the download has expired: without a script the form's errors are shown only where it is. */}
      {isLeaving && ticket !== undefined && (
        <Section title={t("deletion.lastStep")} id="delete-account">
          <p className="mb-5 text-quiet">{t("deletion.afterCopy")}</p>
          <EndSessionForm action={deleteAccount} userId={user.id} className="flex max-w-sm flex-col gap-5">
            <OwnPasswordField />
            <div>
              <button type="submit" className="button text-wrong">
                {t("deletion.submit")}
              </button>
            </div>
          </EndSessionForm>
        </Section>
      )}
    </>
  );
}
