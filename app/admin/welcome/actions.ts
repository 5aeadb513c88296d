"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { donePath } from "@/app/_components/done-notice";
import type { FormState } from "@/app/_components/form";
import { loggedOut, notAllowed, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { changeSettings } from "@/lib/site/change";
import { settingErrors } from "@/lib/site/error-text";
import { welcomePath } from "@/lib/site/welcome";
import { currentTime } from "@/lib/time/current-time";
import { submittedSettings } from "../site-setting-input";

/** Saves the first settings, and leads to the editor or home; for administrators. */
export async function setUpSite(_: FormState, form: FormData): Promise<FormState> {
  const { values, texts, shown } = submittedSettings(form);
  const actor = await getUser();
  if (!actor) return loggedOut(welcomePath, values);
  const now = currentTime();
  const outcome = await changeSettings(app(), { actor, texts, shown, now });
  switch (outcome.kind) {
    case "saved": {
      // The header has the site's name, and a page that follows keeps it.
      refresh();
      const path = textValues(form, "next").next === "write" ? "/posts/new" : "/";
      return redirect(donePath("saved", { path, reader: actor, now }));
    }
    case "invalid":
      return {
        errors: settingErrors(outcome),
        values: { ...values, shown: JSON.stringify({ ...shown, ...outcome.outdated }) },
      };
    // The page has no settings of mail.
    case "password-required":
    case "forbidden":
      return notAllowed(values);
  }
}
