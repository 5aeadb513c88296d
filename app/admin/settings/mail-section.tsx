import { ForgetParameter } from "@/app/_components/forget-parameter";
import { Form } from "@/app/_components/form";
import { Choices, Field, SubmitButton } from "@/app/_components/form-fields";
import { OwnPasswordField } from "@/app/_components/own-password-field";
import { Section } from "@/app/_components/section";
import { Moment } from "@/app/_components/time";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { siteMail } from "@/lib/mail/site-mail";
import { lastTestMail } from "@/lib/mail/test-mail";
import { isInEnvironment, siteMailServer, siteSettings } from "@/lib/site";
import { mailServerName } from "@/lib/site/schema";
import type { User } from "@/lib/users";
import { SettingFields, ShownSettings } from "../site-setting-fields";
import { removalName } from "../site-setting-input";
import { saveMailSettings } from "./actions";
import { sendTestMail } from "./mail-actions";

/** The state of mail, a form to change it, and whether emails arrive. */
export function MailSection({ user }: { user: User }) {
  const t = translator("siteSettings");
  const mail = siteMail();
  return (
    <Section title={t("mail.title")} id="mail">
      {mail ? (
        <>
          <p>
            {t.rich("mail.ready", {
              address: () => <bdi>{siteSettings().MAIL_FROM}</bdi>,
              server: () => <bdi>{mail.smtp.host}</bdi>,
            })}
          </p>
          {mail.siteUrl === undefined && <p className="mt-2">{t.rich("mail.noLinks", { code })}</p>}
          <p className="mt-2">
            {t.rich("mail.queue", { link: (chunks) => <a href="/admin/system">{chunks}</a> })}
          </p>
        </>
      ) : (
        <p className="border-s-2 border-amber ps-3">{t.rich(`mail.${missingPart()}`, { code })}</p>
      )}
      <MailForm />
      {mail && <TestMail user={user} />}
    </Section>
  );
}

function code(chunks: React.ReactNode) {
  return <code dir="ltr">{chunks}</code>;
}

/** Why no mail can be sent. */
function missingPart(): "missing" | "noSender" | "noServer" | "unreadable" {
  const server = siteMailServer();
  if (server === "unreadable") return "unreadable";
  if (server) return "noSender";
  return siteSettings().MAIL_FROM === undefined ? "missing" : "noServer";
}

/** The mail server, which is never shown again, and the sender. */
function MailForm() {
  const t = translator("siteSettings");
  const isSaved = siteMailServer() !== undefined;
  if (isInEnvironment(mailServerName))
    return (
      <>
        <p className="mt-4 text-sm text-quiet">{t("locked", { name: mailServerName })}</p>
        <p className="mt-2 text-sm text-quiet">{t("locked", { name: "MAIL_FROM" })}</p>
      </>
    );
  return (
    <Form action={saveMailSettings} className="mt-4 flex max-w-lg flex-col items-stretch gap-6">
      <ShownSettings />
      <Field
        name={mailServerName}
        label={t(`label.${mailServerName}`)}
        help={
          <>
            {isSaved && <strong className="font-medium">{t("help.MAIL_URL_SAVED")} </strong>}
            {t("help.MAIL_URL")}
          </>
        }
        autoComplete="off"
        optional
      />
      {isSaved && (
        <Choices
          type="checkbox"
          name={removalName}
          legend={t("mail.removal")}
          choices={[{ value: "yes", label: t("mail.remove") }]}
        />
      )}
      <SettingFields names={["MAIL_FROM"]} />
      <OwnPasswordField help={t("mail.passwordHelp")} />
      <div>
        <SubmitButton pending={t("saving")}>{t("mail.save")}</SubmitButton>
      </div>
    </Form>
  );
}

/** A button that sends a test email, and the result of the last one. */
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
