/** The form fields of the site's settings. */
import { z } from "zod";
import type { FormState } from "@/app/_components/form";
import { notAllowed, sentTexts, textValues } from "@/app/_components/form-data";
import type { SettingsChanged, SettingTexts } from "@/lib/site/change";
import { settingErrors } from "@/lib/site/error-text";
import { mailServerName, siteSettingNames } from "@/lib/site/schema";
import { jsonFrom } from "@/lib/validation";

/** The checkbox that removes the saved mail server: its empty field keeps it. */
export const removalName = "removeMailServer";

/** The submitted settings, those first shown, and the values to show again. */
export function submittedSettings(form: FormData) {
  const values = textValues(form, "shown", removalName, ...siteSettingNames);
  // A text that is too long to be shown again must not be passed over.
  const texts: SettingTexts = sentTexts(form, ...siteSettingNames, mailServerName);
  if (texts[mailServerName]?.trim() === "") delete texts[mailServerName];
  if (values[removalName] === "yes") texts[mailServerName] = "";
  return { values, texts, shown: shownValues(values.shown) };
}

/** The form's state after settings were not saved. */
export function notSaved(
  outcome: Exclude<SettingsChanged, { kind: "saved" }>,
  { values, shown }: Pick<ReturnType<typeof submittedSettings>, "values" | "shown">,
): FormState {
  if (outcome.kind !== "invalid") return notAllowed(values);
  // The next submission replaces the values that the errors name.
  const latest = JSON.stringify({ ...shown, ...outcome.outdated });
  return { errors: settingErrors(outcome), values: { ...values, shown: latest } };
}

function shownValues(json = "{}"): SettingTexts {
  const parsed = z.partialRecord(z.enum(siteSettingNames), z.string()).safeParse(jsonFrom(json));
  return parsed.success ? parsed.data : {};
}
