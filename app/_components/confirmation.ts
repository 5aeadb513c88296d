/** The common part of actions whose forms need the password again. */
import { redirect } from "next/navigation";
import { getSession } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { logInPath } from "@/lib/paths";
import { clientAddress, isFromScript } from "@/lib/request/current-request";
import type { NotConfirmed, SecondFactorRequest } from "@/lib/second-factor";
import { currentTime } from "@/lib/time/current-time";
import type { FormState } from "./form";
import { formInput, loggedOut, refused } from "./form-data";

/**
 * Runs `work` in the current session, with these fields of the form.
 * When the session has ended, a form sent by a script stays, with a link to log in.
 */
export async function inSession(
  form: FormData,
  names: readonly string[],
  work: (request: SecondFactorRequest) => Promise<FormState>,
): Promise<FormState> {
  const session = await getSession();
  if (!session) return lostSession("/account");
  return work({ session, input: formInput(form, ...names), address: clientAddress(), now: currentTime() });
}

/**
 * The state of an unfinished form that needs the password again.
 * `values` stay in its fields.
 */
export async function refusedState(
  outcome: NotConfirmed,
  now: number,
  values: Record<string, string> = {},
): Promise<FormState> {
  switch (outcome.kind) {
    case "wrong":
      return { errors: { currentPassword: [translator("account")("confirmation.wrong")] }, values };
    case "session-ended":
      return lostSession("/account");
    default:
      return refused(outcome, now, values);
  }
}

/**
 * The state of a form whose session has ended.
 * The form stays where a script has sent it. Without JavaScript no page has it, and the log-in leads back to `path`.
 */
export function lostSession(path: string): FormState {
  return isFromScript() ? loggedOut(path) : redirect(logInPath(path));
}
