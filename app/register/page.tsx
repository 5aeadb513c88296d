import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AfterLogIn } from "@/app/_components/after-log-in";
import { ChallengeForm } from "@/app/_components/challenge-form";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { localPath, logInPath } from "@/lib/paths";
import { currentTime } from "@/lib/time/current-time";
import { hasAccounts, registrationChallenge, takesInvitations } from "@/lib/users";
import { openInvitation } from "@/lib/users/invitations";
import { passwordMinimum } from "@/lib/users/schema";
import { AcceptInvitation } from "./accept-invitation";
import { register } from "./actions";
import { RegistrationNotice } from "./registration-notice";
import { RegistrationSent } from "./registration-sent";

export function generateMetadata(): Metadata {
  return { title: translator("register")("pageTitle"), robots: { index: false } };
}

export default async function RegisterPage({ searchParams }: PageProps<"/register">) {
  const { next, invitation, sent } = await searchParams;
  if (sent !== undefined) return <RegistrationSent />;
  const path = localPath(next);
  const context = app();
  const { mode, challenge: settings } = context.registration;
  const now = currentTime();
  const token = typeof invitation === "string" && takesInvitations(context) ? invitation : undefined;
  const invited = token === undefined ? undefined : await openInvitation(context, token, now);
  const isInvited = invited !== undefined;
  const isToWrite = invited?.makesWriter === true && context.whoMayWrite !== "anyone";
  const user = await getUser();
  if (user && token !== undefined && isToWrite && !user.isWriter)
    return <AcceptInvitation username={user.username} token={token} />;
  if (user) redirect(path);
  const isOpen = mode === "open" || isInvited || (mode === "approval" && token === undefined);
  const challenge = isOpen ? await registrationChallenge(context, now) : null;
  // The first account needs no confirmation.
  const isFirst = !(await hasAccounts(context));
  const confirmation = isFirst ? "off" : context.emailVerification;
  const awaitsApproval = mode === "approval" && !isInvited;
  const t = translator("register");
  return (
    <div className="max-w-sm">
      <h1 className="page-title">{t("title")}</h1>
      {isOpen && <AfterLogIn path={path} isNew mayRate={confirmation === "off" && !awaitsApproval} />}
      <RegistrationNotice
        isFirst={isFirst}
        mode={mode}
        whoMayWrite={context.whoMayWrite}
        invitation={isInvited ? (isToWrite ? "to-write" : "open") : token === undefined ? "none" : "bad"}
      />
      {isOpen && mode !== "closed" && !(awaitsApproval && confirmation === "off") && (
        <p className="mt-2 text-quiet">{t(`confirmation.${confirmation}`)}</p>
      )}
      {isOpen && mode !== "closed" && (
        <ChallengeForm
          action={register.bind(null, path, isInvited || mode !== "open" ? (token ?? null) : null)}
          challenge={challenge && JSON.stringify(challenge)}
          texts={{
            puzzle: t("puzzle"),
            wait: settings?.waitMs ? t("waitWithoutJavaScript", { seconds: settings.waitMs / 1_000 }) : null,
          }}
        >
          <Field label={t("username")} name="username" autoComplete="username" help={t("usernameHelp")} />
          <Field label={t("email")} name="email" type="email" autoComplete="email" help={t("emailHelp")} />
          <Field
            label={t("password")}
            name="password"
            type="password"
            autoComplete="new-password"
            help={t("passwordHelp", { minimum: passwordMinimum })}
          />
          <div>
            <SubmitButton pending={t("submitting")}>{t("submit")}</SubmitButton>
          </div>
        </ChallengeForm>
      )}
      <p className="mt-8 text-quiet">
        {t.rich("haveAccount", { link: (text) => <a href={logInPath(path)}>{text}</a> })}
      </p>
    </div>
  );
}
