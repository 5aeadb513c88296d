"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { sentName } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { confirmSubscription } from "@/lib/mail/subscriptions";
import { currentTime } from "@/lib/time/current-time";

/** Subscribes the address of a link. */
export async function confirm(token: string): Promise<FormState> {
  if (await confirmSubscription(app(), sentName(token), currentTime()))
    return redirect("/subscribe/confirm?done");
  return { errors: { form: [translator("emails")("confirm.gone")] } };
}
