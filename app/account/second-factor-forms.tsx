import { Form } from "@/app/_components/form";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { OwnPasswordField } from "@/app/_components/own-password-field";
import { UntilMade } from "@/app/_components/until-made";
import { translator } from "@/lib/i18n";
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor, renewRecoveryCodes } from "./actions";

/** The form that begins to set up two-step verification. */
export function BeginForm() {
  const t = translator("account");
  return (
    <Form action={beginSecondFactor} className="flex max-w-sm flex-col gap-5">
      <OwnPasswordField />
      <div>
        <SubmitButton pending={t("steps.beginning")}>{t("steps.begin")}</SubmitButton>
      </div>
    </Form>
  );
}

/** The form that takes the first code, replaced by the recovery codes. */
export function ConfirmForm({
  secret,
  address,
  qrCode,
}: {
  secret: string;
  address: string;
  qrCode: React.ReactNode;
}) {
  const t = translator("account");
  return (
    <Form action={confirmSecondFactor} className="max-w-sm">
      <UntilCodes>
        <ol className="flex list-decimal flex-col gap-4 ps-5">
          <li>
            {t("steps.scan")}
            <div className="my-3">{qrCode}</div>
            {t.rich("steps.orKey", { link: (text) => <a href={address}>{text}</a> })}{" "}
            <code className="mt-1 block" dir="ltr">
              {secret.match(/.{1,4}/g)?.join(" ")}
            </code>
          </li>
          <li>{t("steps.typeCode")}</li>
        </ol>
        <Field label={t("steps.code")} name="code" autoComplete="one-time-code" maxLength={10} />
        <OwnPasswordField />
        <div>
          <SubmitButton pending={t("steps.turningOn")}>{t("steps.turnOn")}</SubmitButton>
        </div>
      </UntilCodes>
    </Form>
  );
}

/** The form for new recovery codes, replaced by them. */
export function RenewForm() {
  const t = translator("account");
  return (
    <Form action={renewRecoveryCodes} className="max-w-sm">
      <UntilCodes>
        <OwnPasswordField />
        <div>
          <SubmitButton pending={t("steps.renewing")}>{t("steps.renew")}</SubmitButton>
        </div>
      </UntilCodes>
    </Form>
  );
}

export function RemoveForm() {
  return (
    <Form action={removeSecondFactor} className="flex max-w-sm flex-col gap-5">
      <OwnPasswordField />
      <div>
        <button type="submit" className="button text-wrong">
          {translator("account")("steps.turnOff")}
        </button>
      </div>
    </Form>
  );
}

/** The fields, replaced by the recovery codes once the form has made them. */
export function UntilCodes({ children }: { children: React.ReactNode }) {
  const t = translator("account");
  return (
    <UntilMade
      secret={{
        id: "recovery-codes",
        label: t("steps.recoveryCodes"),
        help: t("steps.recoveryHelp"),
        rows: 10,
      }}
      after={
        <p>
          {/* Without a fragment, so that the browser loads the page again. */}
          <a href="/account">{t("steps.done")}</a>
        </p>
      }
    >
      {children}
    </UntilMade>
  );
}
