"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { formInput, refused, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { clientAddress, currentLocale } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import { requestPasswordReset } from "@/lib/users/password-reset";

/**
 * Requests a link to set a new password.
 * The answer does not depend on whether there is an account.
 */
export async function requestReset(_: FormState, form: FormData): Promise<FormState> {
  const now = currentTime();
  const request = { input: formInput(form, "email"), address: clientAddress(), locale: currentLocale(), now };
  const outcome = await requestPasswordReset(app(), request);
  const values = textValues(form, "email");
  switch (outcome.kind) {
    case "requested":
      return redirect("/login/forgot?sent");
    case "no-mail":
      return { errors: { form: [translator("logIn")("forgot.noMail")] }, values };
    default:
      return refused(outcome, now, values);
  }
}
