"use client";

/** The fields and buttons of a `Form`, which show its state. */
import { use, useId } from "react";
import { FormContext } from "./form";
import { TextArea } from "./text-area";

interface FieldProps {
  label: string;
  name: string;
  type?: "text" | "email" | "password";
  /** Shown below the field. */
  help?: React.ReactNode;
  defaultValue?: string;
  autoComplete?: string;
  maxLength?: number;
  /** Makes it a text area of this many lines. */
  rows?: number;
  optional?: boolean;
}

export function Field({
  label,
  name,
  type = "text",
  help,
  defaultValue,
  autoComplete,
  maxLength,
  rows,
  optional = false,
}: FieldProps) {
  const { state, pending } = use(FormContext);
  const id = useId();
  const errors = state.errors?.[name] ?? [];
  const describedBy = [errors.length > 0 && `${id}-error`, help && `${id}-help`].filter(Boolean).join(" ");
  const attributes = {
    id,
    name,
    autoComplete,
    maxLength,
    className: "input",
    dir: type === "text" ? "auto" : "ltr",
    required: !optional,
    readOnly: pending,
    defaultValue: type === "password" ? undefined : (state.values?.[name] ?? defaultValue),
    "aria-invalid": errors.length > 0,
    "aria-describedby": describedBy || undefined,
    // Without JavaScript the page is rendered again, and the error may be far down.
    autoFocus: errors.length > 0,
  };
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-[0.9375rem] font-medium">
        {label}
      </label>
      {rows ? <TextArea rows={rows} {...attributes} /> : <input type={type} {...attributes} />}
      {errors.length > 0 && (
        <p id={`${id}-error`} className="text-sm text-wrong">
          {errors.join(" ")}
        </p>
      )}
      {help && (
        <p id={`${id}-help`} className="text-sm text-quiet">
          {help}
        </p>
      )}
    </div>
  );
}

/**
 * The form's primary button.
 * Shows `pending` and is disabled while the form is submitted.
 */
export function SubmitButton({ children, pending: saying }: { children: React.ReactNode; pending: string }) {
  const { pending } = use(FormContext);
  return (
    <button type="submit" className="button button-primary" aria-disabled={pending}>
      {pending ? saying : children}
    </button>
  );
}

interface ChoiceButtonProps {
  name: string;
  value: string;
  /** The label while the form is submitted. */
  pending: string;
  children: React.ReactNode;
}

/** One of several submit buttons, each with its own value. */
export function ChoiceButton({ name, value, pending: saying, children }: ChoiceButtonProps) {
  const { pending, pressed } = use(FormContext);
  return (
    <button type="submit" name={name} value={value} className="button" aria-disabled={pending}>
      {pending && pressed === value ? saying : children}
    </button>
  );
}
