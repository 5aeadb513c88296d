/** The failures of an action that was called by script. */
import { unstable_isUnrecognizedActionError, unstable_rethrow } from "next/navigation";
import type { FormOutcome } from "./form-messages";
import { type ClientTexts, fill } from "./texts";

/**
 * Whether an action has redirected, and the router follows by itself.
 * Throws the other errors that the router must handle.
 */
export function isRedirected(error: unknown): boolean {
  try {
    unstable_rethrow(error);
    return false;
  } catch (navigation) {
    // Thrown, this one would mount the present page anew: the other forms on it would be emptied.
    if (navigation instanceof Error && "handled" in navigation) return true;
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
