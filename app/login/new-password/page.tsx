import type { Metadata } from "next";
import { LinkPage } from "@/app/_components/link-page";
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
  const isDone = token === resetDone;
  const username = isDone ? undefined : await usernameOfLink(app(), token, currentTime());
  const t = translator("logIn");
  return (
    <LinkPage
      title={t("newPassword.title")}
      done={isDone && t.rich("newPassword.done", { link: (text) => <a href="/login">{text}</a> })}
      expired={
        username === undefined &&
        t.rich("newPassword.expired", { link: (text) => <a href="/login/forgot">{text}</a> })
      }
      intro={t.rich("newPassword.intro", { name: () => <bdi className="font-medium">{username}</bdi> })}
      action={setPassword}
      submit={t("newPassword.submit")}
      submitting={t("newPassword.submitting")}
    >
      {username !== undefined && <NewPasswordFields username={username} />}
    </LinkPage>
  );
}
