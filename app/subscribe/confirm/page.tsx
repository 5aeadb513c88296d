import type { Metadata } from "next";
import { EmailAddress } from "@/app/_components/email-address";
import { LinkPage, linkParameters } from "@/app/_components/link-page";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { addressOfLink } from "@/lib/mail/subscriptions";
import { currentTime } from "@/lib/time/current-time";
import { confirm } from "./actions";

export function generateMetadata(): Metadata {
  return { title: translator("emails")("subscribe.title"), robots: { index: false } };
}

/** The page of a link that subscribes an address. */
export default async function ConfirmSubscriptionPage({ searchParams }: PageProps<"/subscribe/confirm">) {
  const { token, isDone } = linkParameters(await searchParams);
  const found = isDone ? undefined : addressOfLink(app(), token, currentTime());
  const t = translator("emails");
  return (
    <LinkPage
      title={t("subscribe.title")}
      done={isDone && t("subscribe.done")}
      expired={!found && t.rich("subscribe.linkExpired", { link: (text) => <a href="/subscribe">{text}</a> })}
      intro={t.rich("subscribe.confirmIntro", {
        address: () => found && <EmailAddress key="address" email={found.email} />,
      })}
      action={confirm.bind(null, token)}
      submit={t("subscribe.confirm")}
      submitting={t("subscribe.confirming")}
    />
  );
}
