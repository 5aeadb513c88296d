import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AfterLogIn } from "@/app/_components/after-log-in";
import { Form } from "@/app/_components/form";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { FormScript } from "@/app/_components/form-script";
import { app } from "@/lib/app";
import { getUser, loggedOutReader, noticeOnce } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { canSendLinks } from "@/lib/mail/settings";
import { localPath, registerPath } from "@/lib/paths";
import { declareNoScripts } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import { logIn } from "./actions";

export function generateMetadata(): Metadata {
  return { title: translator("logIn")("title"), robots: { index: false } };
}

export default async function LogInPage({ searchParams }: PageProps<"/login">) {
  const { next, ended } = await searchParams;
  const path = localPath(next);
  if (await getUser()) redirect(path);
  declareNoScripts();
  const reader = await loggedOutReader();
  const notice = await noticeOnce(ended, { about: "ended", reader, now: currentTime() });
  const t = translator("logIn");
  return (
    <div className="max-w-sm">
      <h1 className="page-title">{t("title")}</h1>
      <p role="status" className="mt-3 text-quiet empty:hidden">
        {notice === "everywhere" && t("endedEverywhere")}
        {notice === "here" && t("endedHere")}
      </p>
      <AfterLogIn path={path} />
      <FormScript />
      <Form action={logIn.bind(null, path)} className="mt-8 flex flex-col gap-5">
        <Field label={t("username")} name="username" autoComplete="username" />
        <Field label={t("password")} name="password" type="password" autoComplete="current-password" />
        <div>
          <SubmitButton pending={t("submitting")}>{t("submit")}</SubmitButton>
        </div>
      </Form>
      <p className="mt-8 text-quiet">
        {canSendLinks(app()) ? <a href="/login/forgot">{t("forgotten")}</a> : t("forgottenNoMail")}
      </p>
      {app().registration.mode !== "closed" && (
        <p className="mt-3 text-quiet">
          {t.rich("noAccount", { link: (text) => <a href={registerPath(path)}>{text}</a> })}
        </p>
      )}
    </div>
  );
}
