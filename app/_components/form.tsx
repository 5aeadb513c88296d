"use client";

/**
 * Forms that work with and without JavaScript.
 * A server action returns a `FormState`, which the fields show. With JavaScript the typed values stay, also when the
 * server cannot be reached or fails; without it the page is rendered again with the state's values. Passwords are never
 * among the values, and their fields are emptied unless the state contains them.
 */
import { unstable_isUnrecognizedActionError, unstable_rethrow } from "next/navigation";
import {
  createContext,
  startTransition,
  use,
  useActionState,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import type { FieldErrors } from "@/lib/validation";
import { Refusal } from "./refusal";
import { type ClientTexts, fill, useTexts } from "./texts";

export interface FormState {
  /** Errors by field; those of the whole form under `form`. */
  errors?: FieldErrors;
  /** The submitted values, to be shown again. */
  values?: Record<string, string>;
  /** A refusal's text, and when to retry, from `at` on (both milliseconds). */
  refusal?: { text: string; retryAfterMs: number | null; at: number };
  /**
   * Whether typed passwords stay in their fields.
   * The same form may be sent again.
   */
  keepsPasswords?: boolean;
  /** A created secret that is shown only once. */
  made?: string;
  /**
   * The log-in page to use when the session has ended.
   * The form can be sent again afterwards.
   */
  logInPath?: string;
}

export type FormAction = (state: FormState, form: FormData) => Promise<FormState>;

/** `pressed` is the value of the last submit button. */
export const FormContext = createContext<{
  state: FormState;
  pending: boolean;
  pressed: string | null;
  submitAfter: (preparation: Promise<void>) => void;
}>({
  state: {},
  pending: false,
  pressed: null,
  submitAfter: () => {},
});

interface FormProps {
  action: FormAction;
  /** Checks a form before it is sent, where the server would refuse it unread. */
  check?: (form: FormData) => FieldErrors | undefined;
  /** Whether to send the form, as a person confirms. */
  mayBeSent?: () => boolean;
  /** Called when the action has succeeded and leads to another page. */
  onDone?: () => void;
  /** The sentence that the input is not lost, for a form that could not be sent. */
  keptNotice?: string;
  /**
   * A message about the previous action.
   * Shown until the form has errors or a refusal.
   */
  notice?: string | undefined;
  className?: string;
  children: React.ReactNode;
}

export function Form({
  action,
  check,
  mayBeSent,
  onDone,
  keptNotice,
  notice,
  className,
  children,
}: FormProps) {
  const texts = useTexts();
  const kept = keptNotice ?? texts.nothingLost;
  // Without JavaScript the browser sends the form to the action itself, and the page contains the resulting state.
  const [stateInPage, actionInPage] = useActionState(action, {});
  const [state, dispatch, isSent] = useActionState(async (previous: FormState, form: FormData) => {
    const errors = check?.(form);
    if (errors) return { errors };
    try {
      return await action(previous, form);
    } catch (error) {
      rethrowNavigation(error, onDone);
      return failedState(error, kept, texts);
    }
  }, stateInPage);
  const [isPreparing, setIsPreparing] = useState(false);
  const preparation = useRef<Promise<void>>(undefined);
  const pending = isSent || isPreparing;
  const [pressed, setPressed] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);

  const submitAfter = useCallback((next: Promise<void>) => {
    preparation.current = next;
  }, []);

  useEffect(() => {
    if (!state.errors && !state.refusal) return;
    if (state.keepsPasswords) return;
    for (const field of form.current?.querySelectorAll<HTMLInputElement>("[type=password]") ?? [])
      field.value = "";
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [state]);

  return (
    <form
      ref={form}
      action={actionInPage}
      noValidate
      className={className}
      onSubmit={(event) => {
        // Dispatched by hand, because React resets a form after running its action.
        event.preventDefault();
        if (pending || mayBeSent?.() === false) return;
        const button = submitterOf(event.nativeEvent);
        const element = event.currentTarget;
        setPressed(button?.value ?? null);
        const send = () => {
          const data = new FormData(element, button);
          startTransition(() => dispatch(data));
        };
        if (!preparation.current) return send();
        setIsPreparing(true);
        void preparation.current.then(() => {
          setIsPreparing(false);
          send();
        });
      }}
    >
      <FormContext value={{ state, pending, pressed, submitAfter }}>
        {children}
        <div role="status" className="contents">
          {notice && !state.errors && !state.refusal && <p className="text-sm text-quiet">{notice}</p>}
          <FormMessages state={state} kept={kept} />
        </div>
        {state.refusal && <Refusal key={state.refusal.at} retryAfterMs={state.refusal.retryAfterMs} />}
      </FormContext>
    </form>
  );
}

/**
 * The messages of a form as a whole, for its live region.
 * `kept` is the sentence that the input is not lost.
 */
export function FormMessages({ state, kept }: { state: FormState; kept: string }) {
  const texts = useTexts();
  return (
    <>
      {state.errors?.form?.map((error) => (
        <p key={error} className="text-sm text-wrong">
          {error}
        </p>
      ))}
      {state.refusal && <p className="font-medium text-amber">{state.refusal.text}</p>}
      {state.logInPath !== undefined && (
        <p className="text-wrong">
          {fill(texts.loggedOut, { kept })}{" "}
          <a href={state.logInPath} target="_blank" rel="noopener">
            {texts.logIn}
          </a>
        </p>
      )}
    </>
  );
}

/**
 * Throws the error that the router must handle after a redirect.
 * An action that succeeded leads to another page.
 */
function rethrowNavigation(error: unknown, onDone: (() => void) | undefined): void {
  try {
    unstable_rethrow(error);
  } catch (navigation) {
    onDone?.();
    throw navigation;
  }
}

/** The state of a form that could not be sent, or whose action failed. */
export function failedState(error: unknown, kept: string, texts: ClientTexts): FormState {
  return { errors: { form: [fill(failureText(error, texts), { kept })] }, keepsPasswords: true };
}

function failureText(error: unknown, texts: ClientTexts): string {
  if (unstable_isUnrecognizedActionError(error)) return texts.siteUpdated;
  // The server's log has an action's error under its digest.
  const isServerError = error instanceof Error && "digest" in error;
  return isServerError ? texts.serverFailed : texts.unreachable;
}

function submitterOf(event: Event): HTMLButtonElement | null {
  return event instanceof SubmitEvent && event.submitter instanceof HTMLButtonElement
    ? event.submitter
    : null;
}

/** The state of the enclosing form, for custom fields. */
export function useFormState(): FormState {
  return use(FormContext).state;
}

/** Whether the enclosing form is being submitted. */
export function useFormPending(): boolean {
  return use(FormContext).pending;
}

/** Delays the form's submission until a promise resolves; it must not reject. */
export function useSubmitAfter(): (preparation: Promise<void>) => void {
  return use(FormContext).submitAfter;
}
