"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { loggedOut, notAllowed, sentForm } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { removeSubscriber } from "@/lib/mail/subscriber-list";
import { idFromText } from "@/lib/text/id-from-text";
import { currentTime } from "@/lib/time/current-time";

/** Removes the subscriber of the pressed button. */
export async function removeOne(_: FormState, form: FormData): Promise<FormState> {
  const actor = await getUser();
  if (!actor) return loggedOut("/admin/subscribers");
  const id = idFromText(sentForm(form).get("subscriber"));
  if (id !== undefined) {
    const outcome = await removeSubscriber(app(), { actor, id, now: currentTime() });
    if (outcome.kind === "forbidden") return notAllowed();
  }
  refresh();
  return redirect("/admin/subscribers");
}
