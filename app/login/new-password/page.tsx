import type { Metadata } from "next";
import { Form } from "@/app/_components/form";
import { SubmitButton } from "@/app/_components/form-fields";
import { NewPasswordFields } from "@/app/_components/new-password-fields";
import { app } from "@/lib/app";
import { resetDone, sentResetToken } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { currentTime } from "@/lib/time/current-time";
import { usernameOfLink } from "@/lib/users/password-reset";
import { setPassword } from "./actions";

export function generateMetadata(): Metadata {
  return { title: translator("logIn")("newPassword.title"), robots: { index: false } };
}

export default async function NewPasswordPage() {
  const token = await sentResetToken();
  const username = token === resetDone ? undefined : await usernameOfLink(app(), token, currentTime());
  const t = translator("logIn");
  return (
    <div className="max-w-sm">
      <h1 className="page-title">{t("newPassword.title")}</h1>
      {token === resetDone ? (
        <p role="status" className="mt-3">
          {t.rich("newPassword.done", { link: (text) => <a href="/login">{text}</a> })}
        </p>
      ) : username === undefined ? (
        <p className="mt-3">
          {t.rich("newPassword.expired", { link: (text) => <a href="/login/forgot">{text}</a> })}
        </p>
      ) : (
        <>
          <p className="mt-3 text-quiet">
            {t.rich("newPassword.intro", { name: () => <bdi className="font-medium">{username}</bdi> })}
          </p>
          <Form action={setPassword} className="mt-8 flex flex-col gap-5">
            <NewPasswordFields username={username} />
            <div>
              <SubmitButton pending={t("newPassword.submitting")}>{t("newPassword.submit")}</SubmitButton>
            </div>
          </Form>
        </>
      )}
    </div>
  );
}
