"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { inSession, refusedState } from "@/app/_components/confirmation";
import type { FormState } from "@/app/_components/form";
import { loggedOut, sentForm, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { signedNotice } from "@/lib/auth/notice";
import { translator } from "@/lib/i18n";
import { chooseMails } from "@/lib/mail/choices";
import { currentLocale } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";
import { cancelEmailChange, requestEmailChange } from "@/lib/users/change-email";

/** Saves which emails the user gets. */
export async function saveChoices(_: FormState, form: FormData): Promise<FormState> {
  const user = await getUser();
  if (!user) return loggedOut("/account");
  const sent = sentForm(form).getAll("emails");
  const chosen = new Set(sent.filter((each) => typeof each === "string"));
  const now = currentTime();
  const outcome = await chooseMails(app(), { userId: user.id, chosen, locale: currentLocale(), now });
  const t = translator("emails");
  switch (outcome.kind) {
    case "saved":
      refresh();
      return redirect(mailPath("saved", user));
    case "unconfirmed":
      return { errors: { form: [t("unconfirmed")] } };
    case "no-mail":
      return { errors: { form: [t("noMail")] } };
  }
}

/** Mails a link to a new address of the account. */
export async function changeEmail(_: FormState, form: FormData): Promise<FormState> {
  return inSession(form, ["email", "currentPassword"], async (request) => {
    const outcome = await requestEmailChange(app(), { ...request, locale: currentLocale() });
    const values = textValues(form, "email");
    const t = translator("emails");
    switch (outcome.kind) {
      case "requested":
        refresh();
        return redirect(mailPath("requested", request.session.user));
      case "same":
        return { errors: { email: [t("change.same")] }, values };
      case "no-mail":
        return { errors: { form: [t("noMail")] }, values };
      default:
        return refusedState(outcome, request.now, values);
    }
  });
}

/** Keeps the account's address. */
export async function cancelChange(): Promise<FormState> {
  const user = await getUser();
  if (!user) return loggedOut("/account");
  await cancelEmailChange(app(), user.id);
  refresh();
  return redirect(mailPath("cancelled", user));
}

/**
 * The account page after a change.
 * It has another address than before, so that a browser loads it.
 */
function mailPath(notice: "saved" | "requested" | "cancelled", reader: User): string {
  return `/account?mail=${signedNotice(notice, { about: "mail", reader, now: currentTime() })}#mail`;
}
