import type { Metadata } from "next";
import { EmailAddress } from "@/app/_components/email-address";
import { LinkPage, linkParameters } from "@/app/_components/link-page";
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
  const { token, isDone } = linkParameters(await searchParams);
  const former = isDone ? undefined : await formerAddressOf(app(), token, currentTime());
  const t = translator("emails");
  return (
    <LinkPage
      title={t("restore.title")}
      done={isDone && t.rich("restore.done", { link: (text) => <a href="/login">{text}</a> })}
      expired={!former && t("restore.expired")}
      intro={t.rich("restore.intro", {
        address: () => former && <EmailAddress key="address" email={former.email} />,
        name: () => <bdi key="name">{former?.username}</bdi>,
      })}
      action={restore.bind(null, token)}
      submit={t("restore.submit")}
      submitting={t("restore.submitting")}
    >
      {former && <NewPasswordFields username={former.username} />}
    </LinkPage>
  );
}
