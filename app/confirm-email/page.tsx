import type { Metadata } from "next";
import { EmailAddress } from "@/app/_components/email-address";
import { Form } from "@/app/_components/form";
import { SubmitButton } from "@/app/_components/form-fields";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { userToConfirm } from "@/lib/mail/confirm-email";
import { currentTime } from "@/lib/time/current-time";
import { confirm } from "./actions";

export function generateMetadata(): Metadata {
  return { title: translator("emails")("confirm.title"), robots: { index: false } };
}

/**
 * The page of a link that confirms an account's address.
 * It has a button, because mail servers open links.
 */
export default async function ConfirmEmailPage({ searchParams }: PageProps<"/confirm-email">) {
  const { token, done } = await searchParams;
  const sent = typeof token === "string" ? token : "";
  const user = done === undefined ? await userToConfirm(app(), sent, currentTime()) : undefined;
  const t = translator("emails");
  const link = (text: React.ReactNode) => <a href="/account#mail">{text}</a>;
  return (
    <div className="max-w-md">
      <h1 className="page-title">{t("confirm.title")}</h1>
      {done !== undefined ? (
        <p role="status" className="mt-3">
          {t.rich("confirm.done", { link })}
        </p>
      ) : !user ? (
        <p className="mt-3">{t.rich("confirm.expired", { link })}</p>
      ) : (
        <>
          <p className="mt-3 text-quiet">
            {t.rich("confirm.intro", {
              address: () => <EmailAddress key="address" email={user.email} />,
              name: () => <bdi key="name">{user.username}</bdi>,
            })}
          </p>
          <Form action={confirm.bind(null, sent)} className="mt-8">
            <SubmitButton pending={t("confirm.submitting")}>{t("confirm.submit")}</SubmitButton>
          </Form>
        </>
      )}
    </div>
  );
}
