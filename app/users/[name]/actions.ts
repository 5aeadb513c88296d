"use server";

import { forbidden, redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { formInput, loggedOut, sentName, textValues } from "@/app/_components/form-data";
import { setDisabled } from "@/lib/account-changes";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { userPath } from "@/lib/paths";
import { currentTime } from "@/lib/time/current-time";

/** Disables or enables a user with their ratings; for administrators. */
export async function setUserDisabled(
  sent: string,
  disabled: boolean,
  _: FormState,
  form: FormData,
): Promise<FormState> {
  const username = sentName(sent);
  const actor = await getUser();
  if (!actor) return loggedOut(userPath(username), textValues(form, "why"));
  const input = { ...formInput(form, "why"), disabled: disabled === true };
  const outcome = await setDisabled(app(), { actor, username, input, now: currentTime() });
  if (outcome.kind === "forbidden") return forbidden();
  if (outcome.kind === "invalid") return { errors: outcome.errors, values: textValues(form, "why") };
  return redirect(userPath(username));
}
