"use server";

import { refresh } from "next/cache";
import { forbidden, redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { loggedOut } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { signedNotice } from "@/lib/auth/notice";
import { changeSettings } from "@/lib/site/change";
import { settingErrors } from "@/lib/site/error-text";
import { currentTime } from "@/lib/time/current-time";
import { submittedSettings } from "../site-setting-input";

/** Saves the site's settings; for administrators. */
export async function saveSettings(_: FormState, form: FormData): Promise<FormState> {
  const { values, texts, shown } = submittedSettings(form);
  const actor = await getUser();
  if (!actor) return loggedOut("/admin/settings", values);
  const now = currentTime();
  const outcome = await changeSettings(app(), { actor, texts, shown, now });
  switch (outcome.kind) {
    case "saved": {
      const done = signedNotice("saved", { about: "settings", reader: actor, now });
      // A redirect to this page's own address would leave it as it was.
      refresh();
      return redirect(`/admin/settings?done=${done}`);
    }
    case "invalid":
      return {
        errors: settingErrors(outcome),
        // The next submission replaces the values that the errors name.
        values: { ...values, shown: JSON.stringify({ ...shown, ...outcome.outdated }) },
      };
    case "forbidden":
      return forbidden();
  }
}
