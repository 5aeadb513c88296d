"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { formInput, refused } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { keepResetToken, resetDone, sentResetToken } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { clientAddress, currentLocale } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import { resetForgottenPassword } from "@/lib/users/password-reset";

/** Sets a new password with the link that this browser has opened. */
export async function setPassword(_: FormState, form: FormData): Promise<FormState> {
  const now = currentTime();
  const outcome = await resetForgottenPassword(app(), {
    token: await sentResetToken(),
    input: formInput(form, "newPassword"),
    address: clientAddress(),
    locale: currentLocale(),
    now,
  });
  switch (outcome.kind) {
    case "reset":
      await keepResetToken(resetDone);
      return redirect("/login/new-password");
    case "expired":
      return { errors: { form: [translator("logIn")("newPassword.gone")] } };
    default:
      return refused(outcome, now);
  }
}
