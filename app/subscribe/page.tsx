import type { Metadata } from "next";
import { ChallengeForm } from "@/app/_components/challenge-form";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { canSendLinks } from "@/lib/mail/settings";
import { subscriptionChallenge } from "@/lib/mail/subscriptions";
import { currentTime } from "@/lib/time/current-time";
import { subscribe } from "./actions";

export function generateMetadata(): Metadata {
  return { title: translator("emails")("subscribe.title"), robots: { index: false } };
}

/** The form to get new posts by email, with or without an account. */
export default async function SubscribePage({ searchParams }: PageProps<"/subscribe">) {
  const { sent } = await searchParams;
  const context = app();
  const t = translator("emails");
  const { challenge: settings } = context.registration;
  const challenge =
    canSendLinks(context) && sent === undefined ? await subscriptionChallenge(context, currentTime()) : null;
  return (
    <div className="max-w-sm">
      <h1 className="page-title">{t("subscribe.title")}</h1>
      {!canSendLinks(context) ? (
        <p className="mt-3">
          {t("noMail")} {t.rich("subscribe.feedInstead", { link: (text) => <a href="/feed.xml">{text}</a> })}
        </p>
      ) : sent !== undefined ? (
        <>
          <p role="status" className="mt-3">
            {t("subscribe.sent")}
          </p>
          <p className="mt-3 text-quiet">{t("subscribe.sentHelp")}</p>
        </>
      ) : (
        <>
          <p className="mt-3 text-quiet">{t("subscribe.intro")}</p>
          <ChallengeForm
            action={subscribe}
            challenge={challenge && JSON.stringify(challenge)}
            texts={{
              puzzle: t("subscribe.puzzle"),
              wait: settings?.waitMs
                ? t("subscribe.waitWithoutJavaScript", { seconds: settings.waitMs / 1_000 })
                : null,
            }}
          >
            <Field label={t("subscribe.email")} name="email" type="email" autoComplete="email" />
            <div>
              <SubmitButton pending={t("subscribe.submitting")}>{t("subscribe.submit")}</SubmitButton>
            </div>
          </ChallengeForm>
        </>
      )}
    </div>
  );
}
