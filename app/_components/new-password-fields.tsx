import { translator } from "@/lib/i18n";
import { passwordMinimum } from "@/lib/users/schema";
import { Field } from "./form-fields";

/** The field for a new password, of the account that a link is for. */
export function NewPasswordFields({ username }: { username: string }) {
  const t = translator("logIn");
  return (
    <>
      {/* For the browser's password manager. */}
      <input type="hidden" name="username" autoComplete="username" defaultValue={username} />
      <Field
        label={t("newPassword.label")}
        name="newPassword"
        type="password"
        autoComplete="new-password"
        help={t("newPassword.help", { minimum: passwordMinimum })}
      />
    </>
  );
}
