"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { formInput, refused, sentName } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { clientAddress, currentLocale } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import { restoreEmail } from "@/lib/users/restore-email";

/** Restores the address of a link, and sets a new password. */
export async function restore(token: string, _: FormState, form: FormData): Promise<FormState> {
  const now = currentTime();
  const outcome = await restoreEmail(app(), {
    token: sentName(token),
    input: formInput(form, "newPassword"),
    address: clientAddress(),
    locale: currentLocale(),
    now,
  });
  const t = translator("emails");
  switch (outcome.kind) {
    case "restored":
      return redirect("/account/restore-email?done");
    case "expired":
      return { errors: { form: [t("confirm.gone")] } };
    case "taken":
      return { errors: { form: [t("restore.taken")] } };
    default:
      return refused(outcome, now);
  }
}
