"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { app } from "@/lib/app";
import { requireUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { subscribeToFloods, unsubscribeFromFloods } from "@/lib/mail/flood-mails";
import { currentLocale } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";

/** Subscribes to mails about floods: sends the link that confirms the address. */
export async function subscribe(): Promise<FormState> {
  const { id: userId } = await requireUser("/account");
  const outcome = await subscribeToFloods(app(), { userId, locale: currentLocale(), now: currentTime() });
  if (outcome.kind === "link-sent") return redirect("/account#mail");
  const t = translator("account");
  return { errors: { form: [outcome.kind === "full" ? t("floodMails.full") : t("floodMails.noMail")] } };
}

export async function unsubscribe(): Promise<FormState> {
  await unsubscribeFromFloods(app(), (await requireUser("/account")).id);
  return redirect("/account#mail");
}
