"use server";

import { refusedState } from "@/app/_components/confirmation";
import type { FormState } from "@/app/_components/form";
import { formInput, loggedOut } from "@/app/_components/form-data";
import { showNotice } from "@/app/_components/show-notice";
import { app } from "@/lib/app";
import { getSession, getUser } from "@/lib/auth";
import { clientAddress } from "@/lib/request/current-request";
import { changeMailSettings, changeSettings } from "@/lib/site/change";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";
import { notSaved, submittedSettings } from "../site-setting-input";

/** Saves the site's settings; for administrators. */
export async function saveSettings(_: FormState, form: FormData): Promise<FormState> {
  const { values, texts, shown } = submittedSettings(form);
  const actor = await getUser();
  if (!actor) return loggedOut("/admin/settings", values);
  const now = currentTime();
  const outcome = await changeSettings(app(), { actor, texts, shown, now });
  return outcome.kind === "saved" ? showSaved(actor, now) : notSaved(outcome, { values, shown });
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
  if (outcome.kind === "saved") return showSaved(session.user, now);
  if (outcome.kind !== "password-refused") return notSaved(outcome, { values, shown });
  const { outcome: refusal } = outcome;
  if (refusal.kind === "session-ended") return loggedOut("/admin/settings", values);
  return refusedState(refusal, now, values);
}

function showSaved(reader: User, now: number): never {
  const context = { about: "settings", reader, now };
  return showNotice("saved", context, (done) => `/admin/settings?done=${done}`);
}
