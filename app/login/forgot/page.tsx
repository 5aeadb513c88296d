import type { Metadata } from "next";
import { Form } from "@/app/_components/form";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { canSendLinks } from "@/lib/mail/settings";
import { requestReset } from "./actions";

export function generateMetadata(): Metadata {
  return { title: translator("logIn")("forgot.title"), robots: { index: false } };
}

export default async function ForgotPasswordPage({ searchParams }: PageProps<"/login/forgot">) {
  const isSent = (await searchParams).sent !== undefined;
  const t = translator("logIn");
  return (
    <div className="max-w-sm">
      <h1 className="page-title">{t("forgot.title")}</h1>
      {!canSendLinks(app()) ? (
        <>
          <p className="mt-3">{t("forgot.noMail")}</p>
          <p className="mt-3 text-quiet">
            {t.rich("forgot.noMailHelp", { code: (chunks) => <code dir="ltr">{chunks}</code> })}
          </p>
        </>
      ) : isSent ? (
        <>
          <p role="status" className="mt-3">
            {t("forgot.sent")}
          </p>
          <p className="mt-3 text-quiet">{t("forgot.sentHelp")}</p>
        </>
      ) : (
        <>
          <p className="mt-3 text-quiet">{t("forgot.intro")}</p>
          <Form action={requestReset} className="mt-8 flex flex-col gap-5">
            <Field label={t("forgot.email")} name="email" type="email" autoComplete="email" />
            <div>
              <SubmitButton pending={t("forgot.submitting")}>{t("forgot.submit")}</SubmitButton>
            </div>
          </Form>
        </>
      )}
      <p className="mt-8 text-quiet">
        <a href="/login">{t("forgot.back")}</a>
      </p>
    </div>
  );
}
