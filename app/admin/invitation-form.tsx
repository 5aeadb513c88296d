"use client";

import { CopyOnce } from "@/app/_components/copy-once";
import { Form, useFormState } from "@/app/_components/form";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { makeInvitation } from "./registration-actions";

/**
 * The form for a new invitation, replaced by its link once made.
 * `origin` is the site's.
 */
export function InvitationForm({ origin }: { origin: string }) {
  return (
    <Form action={makeInvitation} className="max-w-sm">
      <FieldsOrLink origin={origin} />
    </Form>
  );
}

function FieldsOrLink({ origin }: { origin: string }) {
  const { made } = useFormState();
  return made === undefined ? <Fields /> : <NewLink link={`${origin}/register?invitation=${made}`} />;
}

function Fields() {
  const { values } = useFormState();
  return (
    <div className="flex flex-col gap-5">
      <Field
        label="Note"
        name="note"
        autoComplete="off"
        maxLength={100}
        help="Who it is for. Only administrators see it."
      />
      <div className="flex flex-col gap-1.5">
        <label htmlFor="invitation-days" className="text-[0.9375rem] font-medium">
          Good for
        </label>
        <select id="invitation-days" name="days" className="input" defaultValue={values?.days ?? "7"}>
          <option value="1">A day</option>
          <option value="7">A week</option>
          <option value="30">30 days</option>
        </select>
      </div>
      <div>
        <SubmitButton pending="Making…">Make invitation</SubmitButton>
      </div>
    </div>
  );
}

function NewLink({ link }: { link: string }) {
  return (
    <>
      <CopyOnce id="new-invitation" label="New invitation" value={link} rows={3}>
        Send this link to one person: it makes one account. Copy it now, it is not shown again.
      </CopyOnce>
      <p className="mt-4.5">
        <a href="/admin#new-accounts">Done</a>
      </p>
    </>
  );
}
