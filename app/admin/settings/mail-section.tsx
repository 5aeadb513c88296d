import { ForgetParameter } from "@/app/_components/forget-parameter";
import { Form } from "@/app/_components/form";
import { SubmitButton } from "@/app/_components/form-fields";
import { Section } from "@/app/_components/section";
import { Moment } from "@/app/_components/time";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { lastTestMail } from "@/lib/mail/test-mail";
import { env } from "@/lib/settings/env";
import { smtpServerFrom } from "@/lib/settings/mail-settings";
import type { User } from "@/lib/users";
import { sendTestMail } from "./mail-actions";

/** The state of mail: its settings, what is missing, and whether emails arrive. */
export function MailSection({ user }: { user: User }) {
  const t = translator("siteSettings");
  const { MAIL_FROM, MAIL_URL = "", SITE_URL } = env;
  const code = (chunks: React.ReactNode) => <code dir="ltr">{chunks}</code>;
  const server = smtpServerFrom(MAIL_URL);
  return (
    <Section title={t("mail.title")} id="mail">
      {MAIL_FROM === undefined || !server ? (
        <p>{t.rich("mail.missing", { code })}</p>
      ) : (
        <>
          <p>
            {t.rich("mail.ready", {
              address: () => <bdi>{MAIL_FROM}</bdi>,
              server: () => <bdi>{server.host}</bdi>,
            })}
          </p>
          {SITE_URL === undefined && <p className="mt-2">{t.rich("mail.noLinks", { code })}</p>}
          <p className="mt-2">
            {t.rich("mail.queue", { link: (chunks) => <a href="/admin/system">{chunks}</a> })}
          </p>
          <TestMail user={user} />
        </>
      )}
    </Section>
  );
}

/** A button that sends a test email, and what became of the last one. */
async function TestMail({ user }: { user: User }) {
  const t = translator("siteSettings");
  const last = await lastTestMail(app(), user);
  const time = () => <Moment at={last?.at ?? 0} />;
  return (
    <>
      <ForgetParameter name="mail" />
      <Form action={sendTestMail} className="mt-4 flex flex-col items-start gap-3">
        <SubmitButton pending={t("mail.testing")}>{t("mail.test")}</SubmitButton>
      </Form>
      <p role="status" className="mt-3 empty:hidden">
        {last?.kind === "sent" && t.rich("mail.testSent", { time })}
        {last?.kind === "waiting" &&
          t.rich(last.fault === null ? "mail.testWaiting" : "mail.testRetried", {
            time,
            link: (chunks) => <a href="/admin/settings#mail">{chunks}</a>,
          })}
        {last?.kind === "given-up" && t.rich("mail.testGivenUp", { time })}
      </p>
      {last && last.kind !== "sent" && last.fault !== null && (
        <p className="mt-2">
          <code dir="ltr" className="break-words">
            {last.fault}
          </code>
        </p>
      )}
    </>
  );
}
