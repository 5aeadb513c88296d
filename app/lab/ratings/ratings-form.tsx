"use client";

import { Form, type FormAction, useFormState } from "@/app/_components/form";
import { Field, SubmitButton } from "@/app/_components/form-fields";

interface RatingsFormProps {
  action: FormAction;
  texts: { field: string; help: React.ReactNode; submit: string; submitting: string };
}

/** The field for ratings; the comparison appears below it. */
export function RatingsForm({ action, texts }: RatingsFormProps) {
  return (
    <Form action={action} className="mt-8 flex flex-col gap-6">
      <Field label={texts.field} name="ratings" rows={10} help={texts.help} />
      <div>
        <SubmitButton pending={texts.submitting}>{texts.submit}</SubmitButton>
      </div>
      <Result />
    </Form>
  );
}

function Result() {
  return useFormState().result;
}
