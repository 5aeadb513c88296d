"use server";

import { refresh } from "next/cache";
import { forbidden, redirect } from "next/navigation";
import { donePath } from "@/app/_components/done-notice";
import type { FormState } from "@/app/_components/form";
import { formInput, loggedOut, refused, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { explainBusy } from "@/lib/limits/refusal";
import { postPath } from "@/lib/paths";
import { createPost } from "@/lib/posts";
import { postSchema } from "@/lib/posts/schema";
import { clientAddress } from "@/lib/request/current-request";
import { siteSettings, textOf } from "@/lib/site";
import { changeSettings, invalidTexts } from "@/lib/site/change";
import { settingErrors } from "@/lib/site/error-text";
import { siteSettingNames } from "@/lib/site/schema";
import { welcomePath } from "@/lib/site/welcome";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";
import { type FieldErrors, validate } from "@/lib/validation";
import { submittedSettings } from "../site-setting-input";

/**
 * Saves the first settings and publishes the first post, if one was written.
 * Saves nothing while a field is invalid. Sent again after a post that was refused, it only publishes the post.
 */
export async function setUpSite(_: FormState, form: FormData): Promise<FormState> {
  const settings = submittedSettings(form);
  const values = { ...settings.values, ...textValues(form, "title", "content") };
  const actor = await getUser();
  if (!actor) return loggedOut(welcomePath, values);
  const now = currentTime();
  const post = submittedPost(form);
  const { texts, shown } = settings;
  const invalid = { ...settingErrors({ invalid: invalidTexts(texts), outdated: {} }), ...post.errors };
  if (Object.keys(invalid).length > 0) return { errors: invalid, values };
  const outcome = await changeSettings(app(), { actor, texts, shown, now });
  switch (outcome.kind) {
    case "invalid":
      return {
        errors: settingErrors(outcome),
        values: { ...values, shown: JSON.stringify({ ...shown, ...outcome.outdated }) },
      };
    case "forbidden":
      return forbidden();
  }
  // The header has the site's name, and a page that follows keeps it.
  refresh();
  if (!post.input) return redirect(donePath("saved", { path: "/", reader: actor, now }));
  return publishFirstPost(actor, post.input, { now, values: { ...values, shown: shownNow() } });
}

interface SavedForm {
  now: number;
  /** The values to show again, with the settings that are saved now. */
  values: Record<string, string>;
}

async function publishFirstPost(user: User, input: unknown, { now, values }: SavedForm): Promise<FormState> {
  const outcome = await createPost(app(), { user, address: clientAddress(), input, now });
  const onlySettings = { form: [translator("welcome")("onlySettings")] };
  switch (outcome.kind) {
    case "created":
      return redirect(donePath("published", { path: postPath(outcome.slug), reader: user, now }));
    case "invalid":
      return { errors: { ...onlySettings, ...outcome.errors }, values };
    case "busy":
      return { errors: { form: [...onlySettings.form, explainBusy("texts")] }, values };
    case "not-logged-in":
    case "not-a-writer":
    case "too-many-drafts": // this form saves no draft
      return loggedOut(welcomePath, values);
    case "limited":
    case "denied":
    case "unavailable": {
      const state = refused(outcome, now, values);
      return { ...state, errors: { form: [...onlySettings.form, ...(state.errors?.form ?? [])] } };
    }
  }
}

/** The post of the form; none while both of its fields are empty. */
function submittedPost(form: FormData): { input?: Record<string, unknown>; errors?: FieldErrors } {
  const input = formInput(form, "title", "content");
  if (Object.values(input).every((text) => typeof text === "string" && text.trim() === "")) return {};
  const checked = validate(postSchema, input);
  return checked.ok ? { input } : { errors: checked.errors };
}

function shownNow(): string {
  const settings = siteSettings();
  return JSON.stringify(Object.fromEntries(siteSettingNames.map((name) => [name, textOf(name, settings)])));
}
