"use client";

import { CopyOnce } from "@/app/_components/copy-once";
import { Form, useFormState } from "@/app/_components/form";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor, renewRecoveryCodes } from "./actions";

/** The form that begins to set up two-step verification. */
export function BeginForm() {
  return (
    <Form action={beginSecondFactor} className="flex max-w-sm flex-col gap-5">
      <PasswordField />
      <div>
        <SubmitButton pending="Setting up…">Set up an authenticator app</SubmitButton>
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
  return (
    <Form action={confirmSecondFactor} className="max-w-sm">
      <FieldsOrCodes>
        <ol className="flex list-decimal flex-col gap-4 ps-5">
          <li>
            Scan this code with an authenticator app on your phone:
            <div className="my-3">{qrCode}</div>
            or <a href={address}>open the app</a> on this device, or type this key into it:{" "}
            <code className="mt-1 block" dir="ltr">
              {secret.match(/.{1,4}/g)?.join(" ")}
            </code>
          </li>
          <li>Type the six digits that the app shows.</li>
        </ol>
        <Field label="Code" name="code" autoComplete="one-time-code" maxLength={10} />
        <PasswordField />
        <div>
          <SubmitButton pending="Turning on…">Turn on</SubmitButton>
        </div>
      </FieldsOrCodes>
    </Form>
  );
}

/** The form for new recovery codes, replaced by them. */
export function RenewForm() {
  return (
    <Form action={renewRecoveryCodes} className="max-w-sm">
      <FieldsOrCodes>
        <PasswordField />
        <div>
          <SubmitButton pending="Making…">New recovery codes</SubmitButton>
        </div>
      </FieldsOrCodes>
    </Form>
  );
}

export function RemoveForm() {
  return (
    <Form action={removeSecondFactor} className="flex max-w-sm flex-col gap-5">
      <PasswordField />
      <div>
        <button type="submit" className="button text-wrong">
          Turn off
        </button>
      </div>
    </Form>
  );
}

export function PasswordField() {
  return (
    <Field label="Account password" name="currentPassword" type="password" autoComplete="current-password" />
  );
}

/** The fields, replaced by the recovery codes once the form has made them. */
export function FieldsOrCodes({ children }: { children: React.ReactNode }) {
  const { made } = useFormState();
  if (made === undefined) return <div className="flex flex-col gap-5">{children}</div>;
  return (
    <div className="flex flex-col gap-5">
      <CopyOnce id="recovery-codes" label="Recovery codes" value={made} rows={10}>
        Keep these codes in a safe place: they are not shown again. If you lose your app or passkey, each of
        them lets you log in once.
      </CopyOnce>
      <p>
        <a href="/account#two-steps">Done</a>
      </p>
    </div>
  );
}
