"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { sentName } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { confirmFloodMails } from "@/lib/mail/flood-mails";
import { currentTime } from "@/lib/time/current-time";

/** Confirms the address of a subscription with the token of its link. */
export async function confirm(token: string): Promise<FormState> {
  if (await confirmFloodMails(app(), sentName(token), currentTime()))
    return redirect("/account/flood-mails?on");
  return { errors: { form: [translator("account")("floodMails.confirm.gone")] } };
}
