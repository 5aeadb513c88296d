"use client";

/**
 * Forms that work the same with JavaScript and without: a server action answers with a `FormState`, and the fields
 * show what it says. With JavaScript what was typed is not touched; without it the page comes back with the state's
 * values. A password never stays: it is not among the values, and its field is emptied.
 */
import {
  createContext,
  startTransition,
  use,
  useActionState,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import type { FieldErrors } from "@/lib/validation";
import { Refusal } from "./refusal";
import { TextArea } from "./text-area";

export interface FormState {
  /** What is wrong, by field; under `form`, what is wrong with none in particular. */
  errors?: FieldErrors;
  /** What was sent, to be shown again. */
  values?: Record<string, string>;
  /** Too many requests: the sentence, and how long to wait from `at` on (both milliseconds). */
  refusal?: { text: string; retryAfterMs: number | null; at: number };
}

export type FormAction = (state: FormState, form: FormData) => Promise<FormState>;

/** `pressed` is the value of the button that sent the form last. */
const FormContext = createContext<{ state: FormState; pending: boolean; pressed: string | null }>({
  state: {},
  pending: false,
  pressed: null,
});

interface FormProps {
  action: FormAction;
  /** What happened before this page came, shown until the form has something to say itself. */
  notice?: string | undefined;
  className?: string;
  children: React.ReactNode;
}

export function Form({ action, notice, className, children }: FormProps) {
  const [state, dispatch, pending] = useActionState(action, {});
  const [pressed, setPressed] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (!state.errors && !state.refusal) return;
    for (const field of form.current?.querySelectorAll<HTMLInputElement>("[type=password]") ?? [])
      field.value = "";
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [state]);

  return (
    <form
      ref={form}
      action={dispatch}
      noValidate
      className={className}
      onSubmit={(event) => {
        // Dispatched by hand, because React empties a form whose action it has run itself.
        event.preventDefault();
        if (pending) return;
        const button = submitterOf(event.nativeEvent);
        const data = new FormData(event.currentTarget, button);
        setPressed(button?.value ?? null);
        startTransition(() => dispatch(data));
      }}
    >
      <FormContext value={{ state, pending, pressed }}>
        {children}
        <div role="status" className="contents">
          {notice && !state.errors && !state.refusal && <p className="text-sm text-quiet">{notice}</p>}
          {state.errors?.form?.map((error) => (
            <p key={error} className="text-sm text-wrong">
              {error}
            </p>
          ))}
          {state.refusal && <p className="font-medium text-amber">{state.refusal.text}</p>}
        </div>
        {state.refusal && <Refusal key={state.refusal.at} retryAfterMs={state.refusal.retryAfterMs} />}
      </FormContext>
    </form>
  );
}

interface FieldProps {
  label: string;
  name: string;
  type?: "text" | "email" | "password";
  /** Shown below the field. */
  help?: React.ReactNode;
  defaultValue?: string;
  autoComplete?: string;
  maxLength?: number;
  /** As many lines of text; one when absent. */
  rows?: number;
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
}: FieldProps) {
  const { state } = use(FormContext);
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
    required: true,
    defaultValue: type === "password" ? undefined : (state.values?.[name] ?? defaultValue),
    "aria-invalid": errors.length > 0,
    "aria-describedby": describedBy || undefined,
    // Without JavaScript the page comes anew, and what is wrong may be far down on it.
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

/** The form's one primary button. While the form is being sent it says so and does nothing. */
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
  /** What it says while it is being sent. */
  pending: string;
  children: React.ReactNode;
}

/** One of several buttons that send the form, each with a value of its own. */
export function ChoiceButton({ name, value, pending: saying, children }: ChoiceButtonProps) {
  const { pending, pressed } = use(FormContext);
  return (
    <button type="submit" name={name} value={value} className="button" aria-disabled={pending}>
      {pending && pressed === value ? saying : children}
    </button>
  );
}

/** The button that a form was sent with. */
function submitterOf(event: Event): HTMLButtonElement | null {
  return event instanceof SubmitEvent && event.submitter instanceof HTMLButtonElement
    ? event.submitter
    : null;
}

/** The state of the form around this component, for fields of other kinds. */
export function useFormState(): FormState {
  return use(FormContext).state;
}
