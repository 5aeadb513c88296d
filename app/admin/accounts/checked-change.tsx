"use client";

import { useFormState } from "@/app/_components/form";
import { ChoiceButton } from "@/app/_components/form-fields";

/** The preview of the change, and the buttons that request and confirm it. */
export function CheckedChange() {
  const { values = {} } = useFormState();
  const { checked, step, summary, confirm, done } = values;
  return (
    <>
      <div role="status" className="flex flex-col gap-2 whitespace-pre-line break-words">
        {summary && <p dir="auto">{summary}</p>}
        {done && <p dir="auto">{done}</p>}
      </div>
      {checked && step && confirm && (
        <>
          <input type="hidden" name="checked" value={checked} />
          <ChoiceButton name="step" value={step} pending="Changing…">
            {confirm}
          </ChoiceButton>
        </>
      )}
      <div className="flex flex-wrap gap-3">
        <ChoiceButton name="step" value="check-disable" pending="Counting…">
          See what disabling would change
        </ChoiceButton>
        <ChoiceButton name="step" value="check-enable" pending="Counting…">
          See what enabling would change
        </ChoiceButton>
      </div>
    </>
  );
}
