// Over 200 lines: one form from its submission to its answer, with and without JavaScript.

"use client";

/**
 * Forms that work with and without JavaScript.
 * A server action returns a `FormState`, which the fields show. With JavaScript the typed values stay, also when the
 * server cannot be reached or fails; without it the page is rendered again with the state's values. Passwords are never
 * among the values, and their fields are emptied unless the state contains them.
 */
import {
  createContext,
  Fragment,
  startTransition,
  use,
  useActionState,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { withLineFeeds } from "@/lib/text/line-feeds";
import type { FieldErrors } from "@/lib/validation";
import { failedState, isRedirected } from "./form-failure";
import { FormMessages, type FormOutcome } from "./form-messages";
import { Refusal } from "./refusal";
import { useTexts } from "./texts";

export interface FormState extends FormOutcome {
  /** The submitted values, to be shown again. */
  values?: Record<string, string>;
  /**
   * Whether typed passwords stay in their fields.
   * The same form may be sent again.
   */
  keepsPasswords?: boolean;
  /** A created secret that is shown only once. */
  made?: string;
  /**
   * The action's result, to be shown with the form.
   * Text, unless a script has sent the form: a browser without one sends the state back, and elements cannot be sent.
   */
  result?: React.ReactNode;
}

export type FormAction = (state: FormState, form: FormData) => Promise<FormState>;

type PressedButton = Pick<HTMLButtonElement, "name" | "value">;

export const FormContext = createContext<{
  state: FormState;
  pending: boolean;
  /**
   * How often the action has answered a script.
   * While it has not, the state is the page's, as old as the page.
   */
  answers: number;
  /** The last submit button. */
  pressed: PressedButton | null;
  /** Whether errors may appear while the form is filled in. */
  isChecked: boolean;
  submitAfter: (preparation: Promise<void>) => void;
}>({
  state: {},
  pending: false,
  answers: 0,
  pressed: null,
  isChecked: false,
  submitAfter: () => {},
});

interface Answered extends FormState {
  answers: number;
  /** How often the form began anew, after it was done. */
  resets: number;
}

interface FormProps {
  action: FormAction;
  /**
   * Checks the form as it is filled in, and before it is sent.
   * For input that the server would refuse unread.
   */
  check?: (form: FormData) => FieldErrors | undefined;
  /** Whether to send the form, as a person confirms. */
  mayBeSent?: () => boolean;
  /** Called when the action has succeeded and leads to a page. */
  onDone?: () => void;
  /** The sentence that the input is not lost, for a form that could not be sent. */
  keptNotice?: string;
  /**
   * A message about the previous action.
   * Shown until the form has errors or a refusal.
   */
  notice?: string | undefined;
  /** For buttons outside of it. */
  id?: string;
  className?: string;
  children?: React.ReactNode;
}

export function Form({
  action,
  check,
  mayBeSent,
  onDone,
  keptNotice,
  notice,
  id,
  className,
  children,
}: FormProps) {
  const texts = useTexts();
  const kept = keptNotice ?? texts.nothingLost;
  // Without JavaScript the browser sends the form to the action itself, and the page contains the resulting state.
  const [stateInPage, actionInPage] = useActionState(action, {});
  const [answered, dispatch, isSent] = useActionState(
    async (previous: Answered, form: FormData): Promise<Answered> => {
      const { resets } = previous;
      const answers = previous.answers + 1;
      try {
        const next = await action(previous, form);
        // A state without either may be a preview, which saves nothing.
        if (next.result !== undefined || next.made !== undefined) markSent(form);
        return { ...next, answers, resets };
      } catch (error) {
        if (isRedirected(error)) {
          markSent(form);
          onDone?.();
          // To the same page, perhaps: the form begins anew, with the values that are saved now.
          return { answers, resets: resets + 1 };
        }
        // The fields show the values of the answer before: without them they would return to the page's.
        const { values } = previous;
        return { ...failedState(error, kept, texts), ...(values && { values }), answers, resets };
      }
    },
    { ...stateInPage, answers: 0, resets: 0 },
  );
  const { answers, resets } = answered;
  const [checkErrors, setCheckErrors] = useState<FieldErrors>();
  const state = checkErrors ? { ...answered, errors: { ...answered.errors, ...checkErrors } } : answered;
  const [isPreparing, setIsPreparing] = useState(false);
  const preparation = useRef<Promise<void>>(undefined);
  const pending = isSent || isPreparing;
  const [pressed, setPressed] = useState<PressedButton | null>(null);
  const form = useRef<HTMLFormElement>(null);

  /** Leaving does not need a confirmation for a sent text (`public/form.js`). */
  const markSent = (sent: FormData) => {
    for (const field of form.current?.querySelectorAll("textarea") ?? []) {
      const text = sent.get(field.name);
      if (typeof text === "string") field.dataset.sent = withLineFeeds(text);
    }
  };

  const submitAfter = useCallback((next: Promise<void>) => {
    preparation.current = next;
  }, []);

  useEffect(() => {
    // The fields may have been typed in since the page was loaded.
    if (answered.answers === 0) return;
    if (!answered.errors && !answered.refusal) return;
    if (answered.keepsPasswords) return;
    for (const field of form.current?.querySelectorAll<HTMLInputElement>("[type=password]") ?? [])
      field.value = "";
    focusInvalid(form.current);
  }, [answered]);

  useEffect(() => {
    // The pressed button was replaced. Another one must not have the focus: Enter may still be held.
    if (resets === 0 || !pressed || !form.current || document.activeElement !== document.body) return;
    const same = [...form.current.querySelectorAll<HTMLButtonElement>("button[type=submit]")].find(
      ({ name, value }) => name === pressed.name && value === pressed.value,
    );
    if (!same) form.current.tabIndex = -1;
    (same ?? form.current).focus({ preventScroll: true });
  }, [resets, pressed]);

  return (
    <form
      ref={form}
      action={actionInPage}
      noValidate
      id={id}
      className={className}
      data-keeps-passwords={answered.keepsPasswords ? "" : undefined}
      onInput={check && ((event) => setCheckErrors(check(new FormData(event.currentTarget))))}
      onSubmit={(event) => {
        // Dispatched by hand, because React resets a form after running its action.
        event.preventDefault();
        if (pending) return;
        const button = submitterOf(event.nativeEvent);
        const element = event.currentTarget;
        if (mayBeSent?.() === false) return;
        const errors = check?.(new FormData(element));
        if (errors) {
          flushSync(() => setCheckErrors(errors));
          focusInvalid(element);
          return;
        }
        setPressed(button && { name: button.name, value: button.value });
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
      <FormContext value={{ state, pending, answers, pressed, isChecked: check !== undefined, submitAfter }}>
        <Fragment key={resets}>{children}</Fragment>
        <div role="status" className="contents">
          {/* New elements, so that the same messages are read out again. */}
          <Fragment key={answers}>
            {notice && !state.errors && !state.refusal && <p className="text-sm text-quiet">{notice}</p>}
            <FormMessages state={state} kept={kept} />
          </Fragment>
        </div>
        {state.refusal && <Refusal key={state.refusal.at} retryAfterMs={state.refusal.retryAfterMs} />}
      </FormContext>
    </form>
  );
}

function focusInvalid(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
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
