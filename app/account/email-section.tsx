import { ConfirmEmailForm } from "@/app/_components/confirm-email-form";
import { EmailAddress } from "@/app/_components/email-address";
import { Form } from "@/app/_components/form";
import { Choices, SubmitButton } from "@/app/_components/form-fields";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { chosenMailsOf, mailChoicesOf } from "@/lib/mail/choices";
import { canSendLinks } from "@/lib/mail/settings";
import type { User } from "@/lib/users";
import { ChangeEmailForm } from "./change-email-form";
import { saveChoices } from "./email-actions";

/** The account's address, and which emails it gets. */
export async function EmailSection({ user, notice }: { user: User; notice: string | undefined }) {
  const context = app();
  const found = await chosenMailsOf(context, user.id);
  if (!found) return null;
  const { email, isConfirmed, chosen } = found;
  const t = translator("emails");
  return (
    <>
      <p role="status" className="mb-4 empty:hidden">
        {notice === "saved" && t("saved")}
        {notice === "requested" && t("change.requested")}
        {notice === "cancelled" && t("change.cancelled")}
      </p>
      <p className="mb-5 text-quiet">
        {t.rich("intro", { address: () => <EmailAddress key="address" email={email} /> })}{" "}
        {isConfirmed ? t("confirmed") : canSendLinks(context) && t("unconfirmed")}
      </p>
      {!canSendLinks(context) ? (
        <NoMail isAdministrator={user.isAdministrator} />
      ) : isConfirmed ? (
        <Form action={saveChoices} className="flex flex-col gap-5">
          <Choices
            legend={t("choices")}
            name="emails"
            type="checkbox"
            chosen={[...chosen].join(" ")}
            choices={mailChoicesOf(user).map((value) => ({ value, label: t(`choice.${value}`) }))}
          />
          <div>
            <SubmitButton pending={t("saving")}>{t("save")}</SubmitButton>
          </div>
        </Form>
      ) : (
        <ConfirmEmailForm />
      )}
      {canSendLinks(context) && <ChangeEmailForm user={user} />}
    </>
  );
}

/** A notice of the missing part; administrators learn how to set it up. */
function NoMail({ isAdministrator }: { isAdministrator: boolean }) {
  const t = translator("emails");
  const code = (chunks: React.ReactNode) => <code dir="ltr">{chunks}</code>;
  return (
    <p>
      {t("noMail")} {isAdministrator && t.rich("noMailHelp", { code })}
    </p>
  );
}
