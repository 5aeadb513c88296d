import type { Metadata } from "next";
import { EmailAddress } from "@/app/_components/email-address";
import { Form } from "@/app/_components/form";
import { SubmitButton } from "@/app/_components/form-fields";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { currentTime } from "@/lib/time/current-time";
import { changeOfLink } from "@/lib/users/change-email";
import { confirm } from "./actions";

export function generateMetadata(): Metadata {
  return { title: translator("emails")("change.confirmTitle"), robots: { index: false } };
}

/**
 * The page of a link that changes an account's address.
 * It has a button, because mail servers open links.
 */
export default async function NewEmailPage({ searchParams }: PageProps<"/account/new-email">) {
  const { token, done } = await searchParams;
  const sent = typeof token === "string" ? token : "";
  const change = done === undefined ? await changeOfLink(app(), sent, currentTime()) : undefined;
  const t = translator("emails");
  const link = (text: React.ReactNode) => <a href="/account#mail">{text}</a>;
  return (
    <div className="max-w-md">
      <h1 className="page-title">{t("change.confirmTitle")}</h1>
      {done !== undefined ? (
        <p role="status" className="mt-3">
          {t.rich("change.done", { link })}
        </p>
      ) : !change ? (
        <p className="mt-3">{t.rich("change.expired", { link })}</p>
      ) : (
        <>
          <p className="mt-3 text-quiet">
            {t.rich("change.confirmIntro", {
              address: () => <EmailAddress key="address" email={change.email} />,
              name: () => <bdi key="name">{change.username}</bdi>,
            })}
          </p>
          <Form action={confirm.bind(null, sent)} className="mt-8">
            <SubmitButton pending={t("change.confirming")}>{t("change.confirm")}</SubmitButton>
          </Form>
        </>
      )}
    </div>
  );
}
