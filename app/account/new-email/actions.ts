"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { refused, sentName } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { currentTime } from "@/lib/time/current-time";
import { confirmEmailChange } from "@/lib/users/change-email";

/** Changes the address with the token of a link. */
export async function confirm(token: string): Promise<FormState> {
  const now = currentTime();
  const outcome = await confirmEmailChange(app(), sentName(token), now);
  switch (outcome.kind) {
    case "changed":
      return redirect("/account/new-email?done");
    case "expired":
      return { errors: { form: [translator("emails")("confirm.gone")] } };
    case "unavailable":
      return refused(outcome, now);
  }
}
