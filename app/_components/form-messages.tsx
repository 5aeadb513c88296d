"use client";

import type { FieldErrors } from "@/lib/validation";
import { fill, useTexts } from "./texts";

/** The part of a form's state that concerns the whole form. */
export interface FormOutcome {
  /** Errors by field; those of the whole form under `form`. */
  errors?: FieldErrors;
  /** A page to look at before the form is sent again. */
  lookAt?: { path: string; text: string };
  /** A refusal's text, and when to retry, from `at` on (both milliseconds). */
  refusal?: { text: string; retryAfterMs: number | null; at: number };
  /**
   * The log-in page to use when the session has ended.
   * The form can be sent again afterwards.
   */
  logInPath?: string;
}

/**
 * The messages of a form as a whole, for its live region.
 * `kept` is the sentence that the input is not lost.
 */
export function FormMessages({ state, kept }: { state: FormOutcome; kept: string }) {
  const texts = useTexts();
  return (
    <>
      {state.errors?.form?.map((error) => (
        <p key={error} className="text-sm text-wrong">
          {error}
        </p>
      ))}
      {state.lookAt && (
        <p>
          <a href={state.lookAt.path} target="_blank" rel="noopener">
            {state.lookAt.text}
          </a>
        </p>
      )}
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
