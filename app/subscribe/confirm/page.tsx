import type { Metadata } from "next";
import { EmailAddress } from "@/app/_components/email-address";
import { Form } from "@/app/_components/form";
import { SubmitButton } from "@/app/_components/form-fields";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { addressOfLink } from "@/lib/mail/subscriptions";
import { currentTime } from "@/lib/time/current-time";
import { confirm } from "./actions";

export function generateMetadata(): Metadata {
  return { title: translator("emails")("subscribe.title"), robots: { index: false } };
}

/**
 * The page of a link that subscribes an address.
 * It has a button, because mail servers open links.
 */
export default async function ConfirmSubscriptionPage({ searchParams }: PageProps<"/subscribe/confirm">) {
  const { token, done } = await searchParams;
  const sent = typeof token === "string" ? token : "";
  const found = done === undefined ? addressOfLink(app(), sent, currentTime()) : undefined;
  const t = translator("emails");
  return (
    <div className="max-w-md">
      <h1 className="page-title">{t("subscribe.title")}</h1>
      {done !== undefined ? (
        <p role="status" className="mt-3">
          {t("subscribe.done")}
        </p>
      ) : !found ? (
        <p className="mt-3">
          {t.rich("subscribe.linkExpired", { link: (text) => <a href="/subscribe">{text}</a> })}
        </p>
      ) : (
        <>
          <p className="mt-3 text-quiet">
            {t.rich("subscribe.confirmIntro", {
              address: () => <EmailAddress key="address" email={found.email} />,
            })}
          </p>
          <Form action={confirm.bind(null, sent)} className="mt-8">
            <SubmitButton pending={t("subscribe.confirming")}>{t("subscribe.confirm")}</SubmitButton>
          </Form>
        </>
      )}
    </div>
  );
}
