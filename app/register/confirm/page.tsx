import type { Metadata } from "next";
import { LinkPage, linkParameters } from "@/app/_components/link-page";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { currentTime } from "@/lib/time/current-time";
import { nameToConfirm } from "@/lib/users/confirm-registration";
import { confirm } from "./actions";

export function generateMetadata(): Metadata {
  return { title: translator("register")("confirm.title"), robots: { index: false } };
}

/** The page of a link that makes an account. */
export default async function ConfirmRegistrationPage({ searchParams }: PageProps<"/register/confirm">) {
  const { token, isDone } = linkParameters(await searchParams);
  const username = isDone ? undefined : await nameToConfirm(app(), token, currentTime());
  const t = translator("register");
  const name = () => <bdi key="name">{username}</bdi>;
  const login = (text: React.ReactNode) => <a href="/login">{text}</a>;
  const register = (text: React.ReactNode) => <a href="/register">{text}</a>;
  return (
    <LinkPage
      title={t("confirm.title")}
      done={isDone && t.rich("confirm.done", { link: login })}
      expired={username === undefined && t.rich("confirm.expired", { login, register })}
      intro={t.rich("confirm.intro", { name })}
      action={confirm.bind(null, token)}
      submit={t.rich("confirm.submit", { name })}
      submitting={t("confirm.submitting")}
    />
  );
}
