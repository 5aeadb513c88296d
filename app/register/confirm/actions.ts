"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { refused, sentName } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { clientAddress } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import { confirmRegistration } from "@/lib/users/confirm-registration";

/** Makes the account of a link. */
export async function confirm(token: string): Promise<FormState> {
  const now = currentTime();
  const request = { token: sentName(token), address: clientAddress(), now };
  const outcome = await confirmRegistration(app(), request);
  const t = translator("register");
  switch (outcome.kind) {
    case "registered":
      return redirect("/register/confirm?done");
    case "expired":
      return { errors: { form: [t("confirm.gone")] } };
    case "taken":
      return { errors: { form: [t(outcome.errors.email ? "confirm.gone" : "confirm.taken")] } };
    case "not-open":
      return { errors: { form: [t(`notOpen.${outcome.reason}`)] } };
    case "limited":
    case "denied":
    case "unavailable":
      return refused(outcome, now);
  }
}
