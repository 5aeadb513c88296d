"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { sentName } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { confirmEmail } from "@/lib/mail/confirm-email";
import { currentTime } from "@/lib/time/current-time";

/** Confirms an address with the token of its link. */
export async function confirm(token: string): Promise<FormState> {
  if (await confirmEmail(app(), sentName(token), currentTime())) return redirect("/confirm-email?done");
  return { errors: { form: [translator("emails")("confirm.gone")] } };
}
