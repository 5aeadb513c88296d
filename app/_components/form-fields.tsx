// Over 200 lines: the fields of all forms share labels, help and errors.

"use client";

/** The fields and buttons of a `Form`, which show its state. */
import { use, useId } from "react";
import { FormContext, type FormState } from "./form";
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
  const { state, pending } = use(FormContext);
  const id = useId();
  const errors = state.errors?.[name] ?? [];
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
    "data-saved": savedValue(state, name, defaultValue),
    "aria-invalid": errors.length > 0,
    "aria-describedby": describedBy(id, errors, help),
    // Without JavaScript the page is rendered again, and the error may be far down.
    autoFocus: errors.length > 0,
  };
  return (
    <Labelled id={id} label={label} errors={errors} help={help}>
      {rows ? <TextArea rows={rows} {...attributes} /> : <input type={type} {...attributes} />}
    </Labelled>
  );
}

/** The saved value of a field that shows a sent one instead, for `public/form.js`. */
export function savedValue({ values }: FormState, name: string, saved = ""): string | undefined {
  const shown = values?.[name];
  return shown === undefined || shown === saved ? undefined : saved;
}

interface LabelledProps {
  id: string;
  label: string;
  errors: readonly string[];
  help: React.ReactNode;
  children: React.ReactNode;
}

/** A field with its label above it, and its errors and help below. */
function Labelled({ id, label, errors, help, children }: LabelledProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      <FieldErrors id={id} errors={errors} />
      {help && <p id={`${id}-help`}>{help}</p>}
    </div>
  );
}

/** A field's errors, which appear while a checked form is filled in. */
export function FieldErrors({ id, errors }: Pick<LabelledProps, "id" | "errors">) {
  return (
    <div role={use(FormContext).isChecked ? "status" : undefined} className="contents">
      {errors.length > 0 && (
        <p id={`${id}-error`} className="text-sm text-wrong">
          {errors.join(" ")}
        </p>
      )}
    </div>
  );
}

/** The ids of a field's errors and help, for `aria-describedby`. */
function describedBy(id: string, errors: readonly string[], help: React.ReactNode): string | undefined {
  return [errors.length > 0 && `${id}-error`, help && `${id}-help`].filter(Boolean).join(" ") || undefined;
}

/** The password of the account, entered again where a session is not enough. */
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
  const id = useId();
  const errors = use(FormContext).state.errors?.[name] ?? [];
  return (
    <Labelled id={id} label={label} errors={errors} help={help}>
      <input
        id={id}
        type="file"
        name={name}
        accept={accept}
        data-maximum-bytes={maximumBytes}
        data-too-large={tooLarge}
        required
        className="input file:me-3 file:border-0 file:bg-transparent file:font-medium file:text-water"
        aria-invalid={errors.length > 0}
        aria-describedby={describedBy(id, errors, help)}
      />
    </Labelled>
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
  const { state } = use(FormContext);
  const { errors, values } = state;
  const id = useId();
  const shown = (values?.[name] ?? chosen).split(" ");
  const saved = savedValue(state, name, chosen)?.split(" ");
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
            data-saved={saved?.includes(value)}
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
  /** Whether it is as wide as its options on wide screens. */
  isNarrow?: boolean;
}

export function Select({ label, name, options, defaultValue, help, isNarrow = false }: SelectProps) {
  const { state } = use(FormContext);
  const id = useId();
  const errors = state.errors?.[name] ?? [];
  return (
    <Labelled id={id} label={label} errors={errors} help={help}>
      <select
        id={id}
        name={name}
        className={isNarrow ? "input sm:w-auto sm:self-start" : "input"}
        defaultValue={state.values?.[name] ?? defaultValue}
        data-saved={savedValue(state, name, defaultValue)}
        aria-invalid={errors.length > 0}
        aria-describedby={describedBy(id, errors, help)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Labelled>
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
      {pending && pressed?.value === value ? pendingLabel : children}
    </button>
  );
}
