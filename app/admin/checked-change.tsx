"use client";

import { useFormState } from "@/app/_components/form";
import { ChoiceButton } from "@/app/_components/form-fields";

interface CheckedChangeProps {
  /** The changes to choose from. */
  checks: readonly ("disable" | "enable")[];
  texts: Record<"disable" | "enable" | "counting" | "changing", string>;
}

/** The preview of the change, and the buttons that request and confirm it. */
export function CheckedChange({ checks, texts }: CheckedChangeProps) {
  const { values = {}, result } = useFormState();
  const { checked, step, summary, confirm } = values;
  return (
    <>
      <div role="status" className="flex flex-col gap-2 whitespace-pre-line break-words">
        {summary && <p dir="auto">{summary}</p>}
        {result && <p dir="auto">{result}</p>}
      </div>
      {checked && step && confirm && (
        <>
          <input type="hidden" name="checked" value={checked} />
          <ChoiceButton name="step" value={step} pending={texts.changing}>
            {confirm}
          </ChoiceButton>
        </>
      )}
      <div className="flex flex-wrap gap-3">
        {checks.map((check) => (
          <ChoiceButton key={check} name="step" value={`check-${check}`} pending={texts.counting}>
            {texts[check]}
          </ChoiceButton>
        ))}
      </div>
    </>
  );
}
