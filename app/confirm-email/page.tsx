import type { Metadata } from "next";
import { EmailAddress } from "@/app/_components/email-address";
import { LinkPage, linkParameters } from "@/app/_components/link-page";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { userToConfirm } from "@/lib/mail/confirm-email";
import { currentTime } from "@/lib/time/current-time";
import { confirm } from "./actions";

export function generateMetadata(): Metadata {
  return { title: translator("emails")("confirm.title"), robots: { index: false } };
}

/** The page of a link that confirms an account's address. */
export default async function ConfirmEmailPage({ searchParams }: PageProps<"/confirm-email">) {
  const { token, isDone } = linkParameters(await searchParams);
  const user = isDone ? undefined : await userToConfirm(app(), token, currentTime());
  const t = translator("emails");
  const link = (text: React.ReactNode) => <a href="/account#mail">{text}</a>;
  return (
    <LinkPage
      title={t("confirm.title")}
      done={isDone && t.rich("confirm.done", { link })}
      expired={!user && t.rich("confirm.expired", { link })}
      intro={t.rich("confirm.intro", {
        address: () => user && <EmailAddress key="address" email={user.email} />,
        name: () => <bdi key="name">{user?.username}</bdi>,
      })}
      action={confirm.bind(null, token)}
      submit={t("confirm.submit")}
      submitting={t("confirm.submitting")}
    />
  );
}
