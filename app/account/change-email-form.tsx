import { EmailAddress } from "@/app/_components/email-address";
import { Form } from "@/app/_components/form";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { OwnPasswordField } from "@/app/_components/own-password-field";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";
import { pendingEmail } from "@/lib/users/change-email";
import { cancelChange, changeEmail } from "./email-actions";

/** The form for another address, and the one that is not confirmed yet. */
export async function ChangeEmailForm({ user }: { user: User }) {
  const email = await pendingEmail(app(), user.id, currentTime());
  const t = translator("emails");
  return (
    <>
      <h3 className="mt-8 mb-3 font-medium">{t("change.title")}</h3>
      {email !== undefined && (
        <>
          <p className="mb-3">
            {t.rich("change.waiting", { address: () => <EmailAddress key="address" email={email} /> })}
          </p>
          <Form action={cancelChange} className="mb-6">
            <button type="submit" className="button">
              {t("change.cancel")}
            </button>
          </Form>
        </>
      )}
      <Form action={changeEmail} className="flex max-w-sm flex-col gap-5">
        <Field
          label={t("change.email")}
          name="email"
          type="email"
          autoComplete="email"
          help={t("change.help")}
        />
        <OwnPasswordField />
        <div>
          <SubmitButton pending={t("change.submitting")}>{t("change.submit")}</SubmitButton>
        </div>
      </Form>
    </>
  );
}
