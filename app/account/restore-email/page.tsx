import type { Metadata } from "next";
import { EmailAddress } from "@/app/_components/email-address";
import { Form } from "@/app/_components/form";
import { SubmitButton } from "@/app/_components/form-fields";
import { NewPasswordFields } from "@/app/_components/new-password-fields";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { currentTime } from "@/lib/time/current-time";
import { formerAddressOf } from "@/lib/users/restore-email";
import { restore } from "./actions";

export function generateMetadata(): Metadata {
  return { title: translator("emails")("restore.title"), robots: { index: false } };
}

/** The page of a link that restores an account's former address. */
export default async function RestoreEmailPage({ searchParams }: PageProps<"/account/restore-email">) {
  const { token, done } = await searchParams;
  const sent = typeof token === "string" ? token : "";
  const former = done === undefined ? await formerAddressOf(app(), sent, currentTime()) : undefined;
  const t = translator("emails");
  return (
    <div className="max-w-md">
      <h1 className="page-title">{t("restore.title")}</h1>
      {done !== undefined ? (
        <p role="status" className="mt-3">
          {t.rich("restore.done", { link: (text) => <a href="/login">{text}</a> })}
        </p>
      ) : !former ? (
        <p className="mt-3">{t("restore.expired")}</p>
      ) : (
        <>
          <p className="mt-3 text-quiet">
            {t.rich("restore.intro", {
              address: () => <EmailAddress key="address" email={former.email} />,
              name: () => <bdi key="name">{former.username}</bdi>,
            })}
          </p>
          <Form action={restore.bind(null, sent)} className="mt-8 flex flex-col gap-5">
            <NewPasswordFields username={former.username} />
            <div>
              <SubmitButton pending={t("restore.submitting")}>{t("restore.submit")}</SubmitButton>
            </div>
          </Form>
        </>
      )}
    </div>
  );
}
