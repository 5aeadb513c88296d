import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import type { User } from "@/lib/users";
import { ConfirmEmailForm } from "./confirm-email-form";
import { EmailAddress } from "./email-address";

/** For a user who may rate once the address is confirmed, in place of the stars. */
export async function ConfirmEmailFirst({ user }: { user: User }) {
  const t = translator("emails");
  const email = (await app().database.users.byId(user.id))?.email ?? "";
  return (
    <>
      <h2 className="section-title mb-1">{t("confirmFirst.title")}</h2>
      <p className="mb-4 max-w-prose text-quiet">
        {t.rich("confirmFirst.text", { address: () => <EmailAddress key="address" email={email} /> })}
      </p>
      <ConfirmEmailForm isAgain />
    </>
  );
}
