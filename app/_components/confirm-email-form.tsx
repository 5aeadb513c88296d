import { Form } from "@/app/_components/form";
import { FormResult, SubmitButton } from "@/app/_components/form-fields";
import { translator } from "@/lib/i18n";
import { sendConfirmation } from "./send-confirmation";

/** The button that mails the user a link to confirm the address. */
export function ConfirmEmailForm({ isAgain = false }: { isAgain?: boolean }) {
  const t = translator("emails");
  return (
    <Form action={sendConfirmation} className="flex flex-col gap-3">
      <FormResult />
      <div>
        <SubmitButton pending={t("sending")}>{isAgain ? t("sendAgain") : t("sendLink")}</SubmitButton>
      </div>
    </Form>
  );
}
