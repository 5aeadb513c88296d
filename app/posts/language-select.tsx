"use client";

import { use, useId } from "react";
import { FormContext } from "@/app/_components/form";
import { savedValue } from "@/app/_components/form-fields";

interface LanguageSelectProps {
  label: string;
  help: string;
  /** The choices, with "" for the language that is detected. */
  options: readonly (readonly [value: string, text: string])[];
  /** The author's choice so far. */
  chosen: string;
}

/** The post form's choice of a language. */
export function LanguageSelect({ label, help, options, chosen }: LanguageSelectProps) {
  const { state } = use(FormContext);
  const id = useId();
  const errors = state.errors?.lang ?? [];
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-[0.9375rem] font-medium">
        {label}
      </label>
      <select
        // The form is reset after an answer, to this value.
        key={state.values?.lang}
        id={id}
        name="lang"
        defaultValue={state.values?.lang ?? chosen}
        data-saved={savedValue(state, "lang", chosen)}
        aria-describedby={`${id}-help`}
        aria-invalid={errors.length > 0}
        className="input sm:w-auto sm:self-start"
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <p id={`${id}-help`} className={`text-sm ${errors.length > 0 ? "text-wrong" : "text-quiet"}`}>
        {errors.length > 0 ? errors.join(" ") : help}
      </p>
    </div>
  );
}
