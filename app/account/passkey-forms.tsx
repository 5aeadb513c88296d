"use client";

import { useEffect, useRef, useState } from "react";
import { Form, useFormState } from "@/app/_components/form";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { addPasskey, removePasskey } from "./passkey-actions";
import { FieldsOrCodes, PasswordField } from "./second-factor-forms";

/**
 * The form that adds a passkey.
 * The recovery codes replace it when it is the first second factor.
 */
export function AddPasskeyForm() {
  return (
    <Form action={addPasskey} className="max-w-sm">
      <FieldsOrCodes>
        <Field
          label="Name"
          name="name"
          maxLength={60}
          help="A name by which you will recognise it, such as “Phone” or “Blue key”."
        />
        <PasswordField />
        <PasskeyCreation />
        <div>
          <SubmitButton pending="Adding…">Add passkey</SubmitButton>
        </div>
        <noscript>
          <p className="font-medium text-amber">
            Passkeys need JavaScript, which is switched off in this browser. An authenticator app works
            without.
          </p>
        </noscript>
      </FieldsOrCodes>
    </Form>
  );
}

/** Has the browser create a passkey once the state has options; then resubmits. */
function PasskeyCreation() {
  const state = useFormState();
  const field = useRef<HTMLInputElement>(null);
  const [hasFailed, setHasFailed] = useState(false);

  useEffect(() => {
    const options = state.values?.options;
    if (options === undefined) return;
    let isCurrent = true;
    const make = async () => {
      setHasFailed(false);
      try {
        const { startRegistration } = await import("@simplewebauthn/browser");
        const response = await startRegistration({ optionsJSON: JSON.parse(options) });
        const input = field.current;
        if (!input || !isCurrent) return;
        input.value = JSON.stringify(response);
        input.form?.requestSubmit();
        input.value = "";
      } catch {
        if (isCurrent) setHasFailed(true);
      }
    };
    void make();
    return () => {
      isCurrent = false;
    };
  }, [state]);

  return (
    <>
      <input type="hidden" name="response" ref={field} />
      <p role="status" className="text-sm text-wrong empty:hidden">
        {hasFailed &&
          "No passkey was added: you cancelled, or this device already has one for your account. Try again, or use another device."}
      </p>
    </>
  );
}

interface ListedPasskey {
  id: number;
  name: string;
  /** When it was used last. */
  used: React.ReactNode;
}

/** The user's passkeys, with a form to remove one. */
export function RemovePasskeyForm({ passkeys }: { passkeys: readonly ListedPasskey[] }) {
  return (
    <Form action={removePasskey} className="flex max-w-sm flex-col gap-5">
      <PasskeyChoice passkeys={passkeys} />
      <PasswordField />
      <div>
        <button type="submit" className="button">
          Remove passkey
        </button>
      </div>
    </Form>
  );
}

function PasskeyChoice({ passkeys }: { passkeys: readonly ListedPasskey[] }) {
  const { errors, values } = useFormState();
  const error = errors?.passkey?.[0];
  return (
    <fieldset aria-describedby={error ? "passkey-error" : undefined}>
      <legend className="mb-1.5 text-[0.9375rem] font-medium">Passkey</legend>
      {passkeys.map(({ id, name, used }) => (
        <label key={id} className="flex min-h-9 items-center gap-2.5">
          <input
            type="radio"
            name="passkey"
            value={id}
            defaultChecked={values?.passkey === String(id)}
            className="size-4 shrink-0 accent-water"
          />
          <span className="min-w-0 wrap-anywhere">
            <bdi>{name}</bdi> <span className="text-sm text-quiet">({used})</span>
          </span>
        </label>
      ))}
      {error && (
        <p id="passkey-error" className="mt-1 text-sm text-wrong">
          {error}
        </p>
      )}
    </fieldset>
  );
}
