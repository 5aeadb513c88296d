import type { Metadata } from "next";
import { Form } from "@/app/_components/form";
import { SubmitButton } from "@/app/_components/form-fields";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { currentTime } from "@/lib/time/current-time";
import { nameToConfirm } from "@/lib/users/confirm-registration";
import { confirm } from "./actions";

export function generateMetadata(): Metadata {
  return { title: translator("register")("confirm.title"), robots: { index: false } };
}

/**
 * The page of a link that makes an account.
 * It has a button, because mail servers open links.
 */
export default async function ConfirmRegistrationPage({ searchParams }: PageProps<"/register/confirm">) {
  const { token, done } = await searchParams;
  const sent = typeof token === "string" ? token : "";
  const username = done === undefined ? await nameToConfirm(app(), sent, currentTime()) : undefined;
  const t = translator("register");
  const name = () => <bdi key="name">{username}</bdi>;
  const logIn = (text: React.ReactNode) => <a href="/login">{text}</a>;
  return (
    <div className="max-w-sm">
      <h1 className="page-title">{t("confirm.title")}</h1>
      {done !== undefined ? (
        <p role="status" className="mt-3">
          {t.rich("confirm.done", { link: logIn })}
        </p>
      ) : username === undefined ? (
        <p className="mt-3">
          {t.rich("confirm.expired", { login: logIn, register: (text) => <a href="/register">{text}</a> })}
        </p>
      ) : (
        <>
          <p className="mt-3 text-quiet">{t.rich("confirm.intro", { name })}</p>
          <Form action={confirm.bind(null, sent)} className="mt-8">
            <SubmitButton pending={t("confirm.submitting")}>
              {t.rich("confirm.submit", { name })}
            </SubmitButton>
          </Form>
        </>
      )}
    </div>
  );
}
