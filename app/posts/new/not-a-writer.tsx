import { Form } from "@/app/_components/form";
import { SubmitButton } from "@/app/_components/form-fields";
import { Moment } from "@/app/_components/time";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import type { User } from "@/lib/users";
import { writingRequestedAt } from "@/lib/users/writers";
import { requestToWrite } from "./actions";

/** For a person who may not write: the reason, and their options. */
export async function NotAWriter({ user }: { user: User }) {
  const t = translator("writing");
  const { whoMayWrite, ...context } = app();
  if (whoMayWrite !== "approved") return <p className="mt-6 max-w-prose">{t("reader.invited")}</p>;
  const requestedAt = await writingRequestedAt(context, user);
  if (requestedAt !== null)
    return (
      <p role="status" className="mt-6 max-w-prose">
        {t.rich("reader.requested", { time: () => <Moment at={requestedAt} /> })}
      </p>
    );
  return (
    <>
      <p className="mt-6 mb-6 max-w-prose">{t("reader.approved")}</p>
      <Form action={requestToWrite}>
        <SubmitButton pending={t("reader.requesting")}>{t("reader.request")}</SubmitButton>
      </Form>
    </>
  );
}
