"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { donePath } from "@/app/_components/done-notice";
import type { FormState } from "@/app/_components/form";
import { loggedOut, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { changeSettings } from "@/lib/site/change";
import { welcomePath } from "@/lib/site/welcome";
import { currentTime } from "@/lib/time/current-time";
import { notSaved, submittedSettings } from "../site-setting-input";

/** Saves the first settings, and leads to the editor or home; for administrators. */
export async function setUpSite(_: FormState, form: FormData): Promise<FormState> {
  const { values, texts, shown } = submittedSettings(form);
  const actor = await getUser();
  if (!actor) return loggedOut(welcomePath, values);
  const now = currentTime();
  const outcome = await changeSettings(app(), { actor, texts, shown, now });
  if (outcome.kind !== "saved") return notSaved(outcome, { values, shown });
  // The header has the site's name, and a page that follows keeps it.
  refresh();
  const path = textValues(form, "next").next === "write" ? "/posts/new" : "/";
  return redirect(donePath("saved", { path, reader: actor, now }));
}
