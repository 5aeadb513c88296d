import type { Metadata } from "next";
import { Form } from "@/app/_components/form";
import { SubmitButton } from "@/app/_components/form-fields";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { isConfirmable } from "@/lib/mail/flood-mails";
import { currentTime } from "@/lib/time/current-time";
import { confirm } from "./actions";

export function generateMetadata(): Metadata {
  return { title: translator("account")("floodMails.confirm.title"), robots: { index: false } };
}

/**
 * The page of a link that confirms an address.
 * It has a button, because mail servers open links.
 */
export default async function FloodMailsPage({ searchParams }: PageProps<"/account/flood-mails">) {
  const { token, on } = await searchParams;
  const sent = typeof token === "string" ? token : "";
  const isOpen = on === undefined && (await isConfirmable(app(), sent, currentTime()));
  const t = translator("account");
  return (
    <div className="max-w-md">
      <h1 className="page-title">{t("floodMails.confirm.title")}</h1>
      {on !== undefined ? (
        <p role="status" className="mt-3">
          {t.rich("floodMails.confirm.done", { link: (text) => <a href="/account#mail">{text}</a> })}
        </p>
      ) : !isOpen ? (
        <p className="mt-3">
          {t.rich("floodMails.confirm.expired", { link: (text) => <a href="/account#mail">{text}</a> })}
        </p>
      ) : (
        <>
          <p className="mt-3 text-quiet">{t("floodMails.intro")}</p>
          <Form action={confirm.bind(null, sent)} className="mt-8">
            <SubmitButton pending={t("floodMails.confirm.submitting")}>
              {t("floodMails.confirm.submit")}
            </SubmitButton>
          </Form>
        </>
      )}
    </div>
  );
}
