import type { Metadata } from "next";
import { LinkPage, linkParameters } from "@/app/_components/link-page";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { listOf } from "@/lib/mail/unsubscribe";
import { stop } from "./actions";

export function generateMetadata(): Metadata {
  return { title: translator("emails")("unsubscribe.title"), robots: { index: false } };
}

/** The page of a link at a mail's foot. */
export default async function UnsubscribePage({ searchParams }: PageProps<"/unsubscribe">) {
  const { token, isDone } = linkParameters(await searchParams);
  const list = isDone ? undefined : await listOf(app(), token);
  const t = translator("emails");
  return (
    <LinkPage
      title={t("unsubscribe.title")}
      done={isDone && t("unsubscribe.done")}
      expired={!list && t("unsubscribe.off")}
      intro={list && t(`unsubscribe.intro.${list}`)}
      action={stop.bind(null, token)}
      submit={t("unsubscribe.submit")}
      submitting={t("unsubscribe.submitting")}
    />
  );
}
