"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { app } from "@/lib/app";
import { requireUser } from "@/lib/auth";
import { signedNotice } from "@/lib/auth/notice";
import { translator } from "@/lib/i18n";
import { subscribeToFloods, unsubscribeFromFloods } from "@/lib/mail/flood-mails";
import { currentLocale } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";

/** Subscribes to mails about floods: sends the link that confirms the address. */
export async function subscribe(): Promise<FormState> {
  const user = await requireUser("/account");
  const request = { userId: user.id, locale: currentLocale(), now: currentTime() };
  const outcome = await subscribeToFloods(app(), request);
  if (outcome.kind === "link-sent") return redirect(changedPath(user));
  const t = translator("account");
  return { errors: { form: [outcome.kind === "full" ? t("floodMails.full") : t("floodMails.noMail")] } };
}

export async function unsubscribe(): Promise<FormState> {
  const user = await requireUser("/account");
  await unsubscribeFromFloods(app(), user.id);
  return redirect(changedPath(user));
}

/**
 * The account page after a change.
 * It has another address than before, so that a browser loads it.
 */
function changedPath(reader: User): string {
  return `/account?mail=${signedNotice("changed", { about: "mail", reader, now: currentTime() })}#mail`;
}
