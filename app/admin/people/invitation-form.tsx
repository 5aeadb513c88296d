"use client";

import { CopyOnce } from "@/app/_components/copy-once";
import { Form, useFormState } from "@/app/_components/form";
import { Field, Select, SubmitButton } from "@/app/_components/form-fields";
import type { InvitationTexts } from "./invitation-texts";
import { makeInvitation } from "./registration-actions";

interface InvitationFormProps {
  /** The site's. */
  origin: string;
  texts: InvitationTexts;
}

/** The form for a new invitation, replaced by its link once made. */
export function InvitationForm(props: InvitationFormProps) {
  return (
    <Form action={makeInvitation} className="max-w-sm">
      <FieldsOrLink {...props} />
    </Form>
  );
}

function FieldsOrLink({ origin, texts }: InvitationFormProps) {
  const { made } = useFormState();
  return made === undefined ? (
    <Fields texts={texts} />
  ) : (
    <NewLink link={`${origin}/register?invitation=${made}`} texts={texts} />
  );
}

function Fields({ texts }: Pick<InvitationFormProps, "texts">) {
  const { values } = useFormState();
  return (
    <div className="flex flex-col gap-5">
      <Field label={texts.note} name="note" autoComplete="off" maxLength={100} help={texts.noteHelp} />
      <Select
        label={texts.role}
        name="role"
        options={texts.roles.map(([value, label]) => ({ value, label }))}
        defaultValue="writer"
      />
      <div className="flex flex-col gap-1.5">
        <label htmlFor="invitation-days" className="text-[0.9375rem] font-medium">
          {texts.goodFor}
        </label>
        <select id="invitation-days" name="days" className="input" defaultValue={values?.days ?? "7"}>
          {texts.days.map(([days, text]) => (
            <option key={days} value={days}>
              {text}
            </option>
          ))}
        </select>
      </div>
      <div>
        <SubmitButton pending={texts.making}>{texts.make}</SubmitButton>
      </div>
    </div>
  );
}

function NewLink({ link, texts }: { link: string } & Pick<InvitationFormProps, "texts">) {
  return (
    <>
      <CopyOnce id="new-invitation" label={texts.made} value={link} rows={3}>
        {texts.madeHelp}
      </CopyOnce>
      <p className="mt-4.5">
        <a href="/admin/people#new-accounts">{texts.done}</a>
      </p>
    </>
  );
}
