import type { Metadata } from "next";
import { Form } from "@/app/_components/form";
import { SubmitButton } from "@/app/_components/form-fields";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { listOf } from "@/lib/mail/unsubscribe";
import { stop } from "./actions";

export function generateMetadata(): Metadata {
  return { title: translator("emails")("unsubscribe.title"), robots: { index: false } };
}

/**
 * The page of a link at a mail's foot.
 * It has a button, because mail servers open links.
 */
export default async function UnsubscribePage({ searchParams }: PageProps<"/unsubscribe">) {
  const { token, done } = await searchParams;
  const sent = typeof token === "string" ? token : "";
  const list = done === undefined ? await listOf(app(), sent) : undefined;
  const t = translator("emails");
  return (
    <div className="max-w-md">
      <h1 className="page-title">{t("unsubscribe.title")}</h1>
      {done !== undefined ? (
        <p role="status" className="mt-3">
          {t("unsubscribe.done")}
        </p>
      ) : list === undefined ? (
        <p className="mt-3">{t("unsubscribe.off")}</p>
      ) : (
        <>
          <p className="mt-3 text-quiet">{t(`unsubscribe.intro.${list}`)}</p>
          <Form action={stop.bind(null, sent)} className="mt-8">
            <SubmitButton pending={t("unsubscribe.submitting")}>{t("unsubscribe.submit")}</SubmitButton>
          </Form>
        </>
      )}
    </div>
  );
}
