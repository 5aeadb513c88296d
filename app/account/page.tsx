import type { Metadata } from "next";
import { ForgetParameter } from "@/app/_components/forget-parameter";
import { Form } from "@/app/_components/form";
import { CurrentPasswordField, Field, SubmitButton } from "@/app/_components/form-fields";
import { OwnFloods } from "@/app/_components/own-floods";
import { OwnPasswordField } from "@/app/_components/own-password-field";
import { Section } from "@/app/_components/section";
import { UncountedRatings } from "@/app/_components/uncounted-ratings";
import { WaitingForApproval } from "@/app/_components/waiting-for-approval";
import { isFirstShown, requireSession } from "@/lib/auth";
import { readNotice } from "@/lib/auth/notice";
import { translator } from "@/lib/i18n";
import { userPath } from "@/lib/paths";
import { currentTime } from "@/lib/time/current-time";
import { passwordMinimum } from "@/lib/users/schema";
import { changePassword, requestExport } from "./actions";
import { ApiTokens } from "./api-tokens";
import { EmailSection } from "./email-section";
import { ReadingLinks } from "./reading-links";
import { SecondFactor } from "./second-factor";
import { Sessions } from "./sessions";

export function generateMetadata(): Metadata {
  return { title: translator("account")("title") };
}

/** The parameters that have notices about actions. */
const abouts = ["changed", "ended", "mail", "revoked", "steps"] as const;

export default async function AccountPage({ searchParams }: PageProps<"/account">) {
  const session = await requireSession("/account");
  const { user } = session;
  const query = await searchParams;
  const sent = abouts.find((about) => readNotice(query[about], { about, reader: user, now: currentTime() }));
  const shown = sent !== undefined && (await isFirstShown(String(query[sent]))) ? sent : undefined;
  /** The notice about the last action, which a reload does not repeat. */
  const notice = (about: (typeof abouts)[number]) =>
    about === shown ? readNotice(query[about], { about, reader: user, now: currentTime() }) : undefined;
  const t = translator("account");
  const role = user.isAdministrator ? "administrator" : user.isModerator ? "moderator" : "user";
  return (
    <>
      <h1 className="page-title">{t("title")}</h1>
      {shown !== undefined && <ForgetParameter name={shown} />}
      <p className="mt-3 text-quiet">
        {t.rich("loggedInAs", {
          role,
          name: () => <bdi className="font-medium text-ink">{user.username}</bdi>,
          link: (text) => <a href={userPath(user.username)}>{text}</a>,
        })}
      </p>
      {user.isPending && (
        <div className="mt-6">
          <WaitingForApproval />
        </div>
      )}
      <p role="status" className="mt-3 empty:hidden">
        {notice("changed") === "password" &&
          t.rich("password.changed", { link: (text) => <a href="#api-tokens">{text}</a> })}
      </p>

      <OwnFloods user={user} />
      <UncountedRatings user={user} />

      <ReadingLinks user={user} />

      <Section title={t("password.title")}>
        <Form action={changePassword} className="flex max-w-sm flex-col gap-5">
          <CurrentPasswordField label={t("password.current")} />
          <Field
            label={t("password.new")}
            name="newPassword"
            type="password"
            autoComplete="new-password"
            help={t("password.help", { minimum: passwordMinimum })}
          />
          <div>
            <SubmitButton pending={t("password.submitting")}>{t("password.submit")}</SubmitButton>
          </div>
        </Form>
      </Section>

      <Section title={t("sessions.title")} id="sessions">
        <Sessions session={session} notice={notice("ended")} />
      </Section>

      <Section title={t("steps.title")} id="two-steps">
        <SecondFactor session={session} notice={notice("steps")} />
      </Section>

      <Section title={t("tokens.title")} id="api-tokens">
        <ApiTokens user={user} notice={notice("revoked")} />
      </Section>

      <Section title={translator("emails")("title")} id="mail">
        <EmailSection user={user} notice={notice("mail")} />
      </Section>

      <Section title={t("export.title")} id="your-data">
        <p className="mb-5 text-quiet">{t("export.intro")}</p>
        <a href="/account/export" className="button">
          {t("export.link")}
        </a>
      </Section>

      <Section title={t("deletion.title")} id="delete-account">
        <p className="mb-3 text-quiet">{t("deletion.intro")}</p>
        <p className="mb-5 text-quiet">{t("deletion.beginHelp")}</p>
        <Form action={requestExport} className="flex max-w-sm flex-col gap-5">
          <input type="hidden" name="leave" value="yes" />
          <OwnPasswordField />
          <div>
            <SubmitButton pending={t("export.beginning")}>{t("deletion.begin")}</SubmitButton>
          </div>
        </Form>
      </Section>
    </>
  );
}
