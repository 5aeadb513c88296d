import { Form } from "@/app/_components/form";
import { Choices, Field, SubmitButton } from "@/app/_components/form-fields";
import { OwnPasswordField } from "@/app/_components/own-password-field";
import { Day } from "@/app/_components/time";
import { translator } from "@/lib/i18n";
import type { SecondFactorStatus } from "@/lib/second-factor";
import { addPasskey, removePasskey } from "./passkey-actions";
import { PasskeyCreation } from "./passkey-creation";
import { UntilCodes } from "./second-factor-forms";

/**
 * The form that adds a passkey.
 * The recovery codes replace it when it is the first second factor.
 */
export function AddPasskeyForm() {
  const t = translator("account");
  return (
    <Form action={addPasskey} className="max-w-sm">
      <UntilCodes>
        <Field label={t("passkeys.name")} name="name" maxLength={60} help={t("passkeys.nameHelp")} />
        <OwnPasswordField />
        <PasskeyCreation failure={t("passkeys.notAdded")} />
        <div>
          <SubmitButton pending={t("passkeys.adding")}>{t("passkeys.add")}</SubmitButton>
        </div>
        <noscript>
          <p className="font-medium text-amber">{t("passkeys.needsJavaScript")}</p>
        </noscript>
      </UntilCodes>
    </Form>
  );
}

/** The user's passkeys, with a form to remove one. */
export function RemovePasskeyForm({ passkeys }: Pick<SecondFactorStatus, "passkeys">) {
  const t = translator("account");
  return (
    <Form action={removePasskey} className="flex max-w-sm flex-col gap-5">
      <Choices
        legend={t("passkeys.choice")}
        name="passkey"
        type="radio"
        choices={passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
          value: String(id),
          label: (
            <>
              <bdi>{name}</bdi>{" "}
              <span className="text-sm text-quiet">
                {lastUsedAt === null
                  ? t.rich("passkeys.neverUsed", { day: () => <Day at={createdAt} /> })
                  : t.rich("passkeys.lastUsed", { day: () => <Day at={lastUsedAt} /> })}
              </span>
            </>
          ),
        }))}
      />
      <OwnPasswordField />
      <div>
        <button type="submit" className="button">
          {t("passkeys.remove")}
        </button>
      </div>
    </Form>
  );
}
