"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { refusedState } from "@/app/_components/confirmation";
import type { FormState } from "@/app/_components/form";
import { formInput, loggedOut, notAllowed } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { getSession, getUser } from "@/lib/auth";
import { signedNotice } from "@/lib/auth/notice";
import { clientAddress } from "@/lib/request/current-request";
import {
  changeMailSettings,
  changeSettings,
  type SettingsChanged,
  type SettingTexts,
} from "@/lib/site/change";
import { settingErrors } from "@/lib/site/error-text";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";
import { submittedSettings } from "../site-setting-input";

/** Saves the site's settings; for administrators. */
export async function saveSettings(_: FormState, form: FormData): Promise<FormState> {
  const { values, texts, shown } = submittedSettings(form);
  const actor = await getUser();
  if (!actor) return loggedOut("/admin/settings", values);
  const now = currentTime();
  const outcome = await changeSettings(app(), { actor, texts, shown, now });
  return stateAfter(outcome, { actor, values, shown, now });
}

/**
 * Saves the mail server and the sender.
 * The administrator enters the password again.
 */
export async function saveMailSettings(_: FormState, form: FormData): Promise<FormState> {
  const { values, texts, shown } = submittedSettings(form);
  const session = await getSession();
  if (!session) return loggedOut("/admin/settings", values);
  const now = currentTime();
  const input = formInput(form, "currentPassword");
  const change = { session, input, address: clientAddress(), texts, shown, now };
  const outcome = await changeMailSettings(app(), change);
  if (outcome.kind !== "password-refused")
    return stateAfter(outcome, { actor: session.user, values, shown, now });
  const { outcome: refusal } = outcome;
  if (refusal.kind === "session-ended") return loggedOut("/admin/settings", values);
  return refusedState(refusal, now, values);
}

/**
 * The form's state after an attempted change.
 * A saved one leads to the page with its notice.
 */
function stateAfter(
  outcome: SettingsChanged,
  {
    actor,
    values,
    shown,
    now,
  }: { actor: User; values: Record<string, string>; shown: SettingTexts; now: number },
): FormState {
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
    case "password-required":
    case "forbidden":
      return notAllowed(values);
  }
}
