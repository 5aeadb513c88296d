/** The form fields of the site's settings. */
import { z } from "zod";
import { sentTexts, textValues } from "@/app/_components/form-data";
import type { SettingTexts } from "@/lib/site/change";
import { mailServerName, siteSettingNames } from "@/lib/site/schema";

/** The checkbox that removes the saved mail server: its empty field keeps it. */
export const removalName = "removeMailServer";

/** The submitted settings, those first shown, and the values to show again. */
export function submittedSettings(form: FormData) {
  const values = textValues(form, "shown", ...siteSettingNames);
  // A text that is too long to be shown again must not be passed over.
  const texts: SettingTexts = sentTexts(form, ...siteSettingNames, mailServerName);
  if (texts[mailServerName]?.trim() === "") delete texts[mailServerName];
  if (textValues(form, removalName)[removalName] === "yes") texts[mailServerName] = "";
  return { values, texts, shown: shownValues(values.shown) };
}

function shownValues(json = "{}"): SettingTexts {
  const parsed = z.partialRecord(z.enum(siteSettingNames), z.string()).safeParse(jsonFrom(json));
  return parsed.success ? parsed.data : {};
}

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
