"use client";

import { Field, Form, SubmitButton, useFormState } from "@/app/_components/form";
import { makeInvitation } from "./registration-actions";

/** The form for a new invitation, replaced by its link once made; `origin` is the site's. */
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
  // Replaces the focused element; without JavaScript the page is rendered again and starts at the top.
  const focused = { autoFocus: true };
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor="new-invitation" className="text-[0.9375rem] font-medium">
        New invitation
      </label>
      <textarea
        id="new-invitation"
        readOnly
        rows={3}
        value={link}
        dir="ltr"
        spellCheck={false}
        className="input resize-none font-mono text-sm break-all"
        aria-describedby="new-invitation-help"
        {...focused}
      />
      <p id="new-invitation-help" role="status" className="text-sm">
        Send this link to one person: it makes one account. Copy it now, it is not shown again.
      </p>
      <p className="mt-3">
        <a href="/admin#new-accounts">Done</a>
      </p>
    </div>
  );
}
