"use server";

import type { FormState } from "@/app/_components/form";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { requestConfirmation } from "@/lib/mail/confirm-email";
import { currentLocale } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import { loggedOut } from "./form-data";

/** Mails the logged-in user the link that confirms the address. */
export async function sendConfirmation(): Promise<FormState> {
  const user = await getUser();
  if (!user) return loggedOut("/account");
  const context = app();
  const request = { userId: user.id, locale: currentLocale(), now: currentTime() };
  const outcome = await requestConfirmation(context, request);
  const t = translator("emails");
  switch (outcome.kind) {
    case "link-sent": {
      const address = (await context.database.users.byId(user.id))?.email ?? "";
      return { result: t("linkSent", { address }) };
    }
    case "confirmed-before":
      return { result: t("confirmedBefore") };
    case "full":
      return { errors: { form: [t("full")] } };
    case "no-mail":
      return { errors: { form: [t("noMail")] } };
  }
}
