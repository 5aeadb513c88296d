/** The failures of an action that was called by script. */
import { unstable_isUnrecognizedActionError, unstable_rethrow } from "next/navigation";
import type { FormOutcome } from "./form-messages";
import { type ClientTexts, fill } from "./texts";

/**
 * Throws the error that the router must handle after a redirect.
 * An action that succeeded leads to another page.
 */
export function rethrowNavigation(error: unknown, onDone: (() => void) | undefined): void {
  try {
    unstable_rethrow(error);
  } catch (navigation) {
    onDone?.();
    throw navigation;
  }
}

/**
 * The state of a form that could not be sent, or whose action failed.
 * `kept` is the sentence that nothing is lost.
 */
export function failedState(
  error: unknown,
  kept: string,
  texts: ClientTexts,
): FormOutcome & { keepsPasswords: true } {
  return { errors: { form: [fill(failureText(error, texts), { kept })] }, keepsPasswords: true };
}

function failureText(error: unknown, texts: ClientTexts): string {
  if (unstable_isUnrecognizedActionError(error)) return texts.siteUpdated;
  // The server's log has an action's error under its digest.
  const isServerError = error instanceof Error && "digest" in error;
  return isServerError ? texts.serverFailed : texts.unreachable;
}
