/** The failures of an action that was called by script. */
import { unstable_isUnrecognizedActionError, unstable_rethrow } from "next/navigation";
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

/** Why a form could not be sent; `kept` is the sentence that nothing is lost. */
export function failureText(error: unknown, kept: string, texts: ClientTexts): string {
  if (unstable_isUnrecognizedActionError(error)) return fill(texts.siteUpdated, { kept });
  // The server's log has an action's error under its digest.
  const isServerError = error instanceof Error && "digest" in error;
  return fill(isServerError ? texts.serverFailed : texts.unreachable, { kept });
}
