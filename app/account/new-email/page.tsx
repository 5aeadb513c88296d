import type { Metadata } from "next";
import { EmailAddress } from "@/app/_components/email-address";
import { LinkPage, linkParameters } from "@/app/_components/link-page";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { currentTime } from "@/lib/time/current-time";
import { changeOfLink } from "@/lib/users/change-email";
import { confirm } from "./actions";

export function generateMetadata(): Metadata {
  return { title: translator("emails")("change.confirmTitle"), robots: { index: false } };
}

/** The page of a link that changes an account's address. */
export default async function NewEmailPage({ searchParams }: PageProps<"/account/new-email">) {
  const { token, isDone } = linkParameters(await searchParams);
  const change = isDone ? undefined : await changeOfLink(app(), token, currentTime());
  const t = translator("emails");
  const link = (text: React.ReactNode) => <a href="/account#mail">{text}</a>;
  return (
    <LinkPage
      title={t("change.confirmTitle")}
      done={isDone && t.rich("change.done", { link })}
      expired={!change && t.rich("change.expired", { link })}
      intro={t.rich("change.confirmIntro", {
        address: () => change && <EmailAddress key="address" email={change.email} />,
        name: () => <bdi key="name">{change?.username}</bdi>,
      })}
      action={confirm.bind(null, token)}
      submit={t("change.confirm")}
      submitting={t("change.confirming")}
    />
  );
}
