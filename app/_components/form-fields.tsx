// Over 200 lines: the fields of all forms share labels, help and errors.

"use client";

/** The fields and buttons of a `Form`, which show its state. */
import { use, useId } from "react";
import { FormContext } from "./form";
import { TextArea } from "./text-area";

interface FieldProps {
  label: string;
  name: string;
  type?: "text" | "email" | "password" | "datetime-local";
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
  const { state, pending, isChecked } = use(FormContext);
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
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {rows ? <TextArea rows={rows} {...attributes} /> : <input type={type} {...attributes} />}
      <div role={isChecked ? "status" : undefined} className="contents">
        {errors.length > 0 && (
          <p id={`${id}-error`} className="text-sm text-wrong">
            {errors.join(" ")}
          </p>
        )}
      </div>
      {help && <p id={`${id}-help`}>{help}</p>}
    </div>
  );
}

/** The password of the account, entered again for what a session alone may not do. */
export function CurrentPasswordField(props: Pick<FieldProps, "label" | "help" | "optional">) {
  return <Field {...props} name="currentPassword" type="password" autoComplete="current-password" />;
}

interface FileFieldProps {
  label: string;
  name: string;
  /** The types of files that the browser offers, separated by commas. */
  accept: string;
  /** Shown below the field. */
  help: React.ReactNode;
  /** The largest file, and the message for a larger one; `public/form.js` checks it. */
  maximumBytes?: number;
  tooLarge?: string;
}

/** A field for one file, which the browser does not keep when a form comes back. */
export function FileField({ label, name, accept, help, maximumBytes, tooLarge }: FileFieldProps) {
  const { state, isChecked } = use(FormContext);
  const id = useId();
  const error = state.errors?.[name]?.join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        name={name}
        accept={accept}
        data-maximum-bytes={maximumBytes}
        data-too-large={tooLarge}
        required
        className="input file:me-3 file:border-0 file:bg-transparent file:font-medium file:text-water"
        aria-invalid={error !== undefined}
        aria-describedby={error ? `${id}-error ${id}-help` : `${id}-help`}
      />
      <div role={isChecked ? "status" : undefined} className="contents">
        {error && (
          <p id={`${id}-error`} className="text-sm text-wrong">
            {error}
          </p>
        )}
      </div>
      <p id={`${id}-help`}>{help}</p>
    </div>
  );
}

interface ChoicesProps {
  legend: string;
  name: string;
  type: "checkbox" | "radio";
  choices: readonly { value: string; label: React.ReactNode }[];
  /** The chosen values, separated by spaces, as `FormState` has them. */
  chosen?: string;
}

/** A group of checkboxes or radio buttons. */
export function Choices({ legend, name, type, choices, chosen = "" }: ChoicesProps) {
  const { errors, values } = use(FormContext).state;
  const id = useId();
  const shown = (values?.[name] ?? chosen).split(" ");
  const error = errors?.[name]?.[0];
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 text-[0.9375rem] font-medium">{legend}</legend>
      {choices.map(({ value, label }) => (
        <label key={value} className="flex min-h-9 items-center gap-2.5">
          <input
            type={type}
            name={name}
            value={value}
            defaultChecked={shown.includes(value)}
            className="size-4 shrink-0 accent-water"
          />
          <span className="min-w-0 wrap-anywhere">{label}</span>
        </label>
      ))}
      {error && (
        <p id={`${id}-error`} className="mt-1 text-sm text-wrong">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface SelectProps {
  label: string;
  name: string;
  options: readonly { value: string; label: string }[];
  defaultValue: string;
  /** Shown below the field. */
  help?: React.ReactNode;
}

export function Select({ label, name, options, defaultValue, help }: SelectProps) {
  const { errors, values } = use(FormContext).state;
  const id = useId();
  const error = errors?.[name]?.[0];
  const describedBy = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        name={name}
        className="input"
        defaultValue={values?.[name] ?? defaultValue}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy || undefined}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {error && (
        <p id={`${id}-error`} className="text-sm text-wrong">
          {error}
        </p>
      )}
      {help && <p id={`${id}-help`}>{help}</p>}
    </div>
  );
}

/** The result of the form's action, for its live region. */
export function FormResult() {
  return (
    <div role="status" className="empty:hidden">
      {use(FormContext).state.result}
    </div>
  );
}

/**
 * The form's primary button.
 * Shows `pending` and is disabled while the form is submitted.
 */
export function SubmitButton({
  children,
  pending: pendingLabel,
}: {
  children: React.ReactNode;
  pending: string;
}) {
  const { pending } = use(FormContext);
  return (
    <button
      type="submit"
      className="button button-primary"
      aria-disabled={pending}
      data-pending={pendingLabel}
    >
      {pending ? pendingLabel : children}
    </button>
  );
}

interface ChoiceButtonProps {
  name: string;
  value: string;
  /** The accessible name, where the text alone is ambiguous. */
  label?: string;
  /** The label while the form is submitted. */
  pending: string;
  isPrimary?: boolean;
  children: React.ReactNode;
}

/** One of several submit buttons, each with its own value. */
export function ChoiceButton({
  name,
  value,
  label,
  pending: pendingLabel,
  isPrimary = false,
  children,
}: ChoiceButtonProps) {
  const { pending, pressed } = use(FormContext);
  return (
    <button
      type="submit"
      name={name}
      value={value}
      aria-label={label}
      className={isPrimary ? "button button-primary" : "button"}
      aria-disabled={pending}
      data-pending={pendingLabel}
    >
      {pending && pressed === value ? pendingLabel : children}
    </button>
  );
}
