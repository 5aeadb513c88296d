/** The common part of actions whose forms need the password again. */
import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { formInput, refused } from "@/app/_components/form-data";
import { requireSession } from "@/lib/auth";
import { signedNotice } from "@/lib/auth/notice";
import { clientAddress } from "@/lib/request/current-request";
import type { NotConfirmed } from "@/lib/second-factor";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";

const logInPath = `/login?next=${encodeURIComponent("/account")}`;

/** The account page at two-step verification, with a notice about the action. */
export function secondFactorPath(notice: "app" | "added" | "removed" | "off", reader: User): string {
  return `/account?steps=${signedNotice(notice, { about: "steps", reader, now: currentTime() })}#two-steps`;
}

/** A request in the current session, with these fields of its form. */
export async function sessionRequest(form: FormData, ...names: string[]) {
  const session = await requireSession("/account");
  const input = formInput(form, ...names);
  return { session, input, address: clientAddress(), now: currentTime() };
}

/**
 * The state of an unfinished form that needs the password again.
 * `values` stay in its fields.
 */
export function refusedState(
  outcome: NotConfirmed,
  now: number,
  values: Record<string, string> = {},
): FormState {
  switch (outcome.kind) {
    case "invalid":
      return { errors: outcome.errors, values };
    case "wrong":
      return { errors: { currentPassword: ["This is not your password."] }, values };
    case "session-ended":
      return redirect(logInPath);
    case "passwords-busy":
    case "limited":
    case "denied":
    case "unavailable":
      return refused(outcome, now, values);
  }
}
