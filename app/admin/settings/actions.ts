"use server";

import { refresh } from "next/cache";
import { forbidden, redirect } from "next/navigation";
import { z } from "zod";
import type { FormState } from "@/app/_components/form";
import { loggedOut, sentTexts, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { signedNotice } from "@/lib/auth/notice";
import type { SiteSettingName } from "@/lib/site";
import { changeSettings, type SettingTexts } from "@/lib/site/change";
import { siteSettingNames } from "@/lib/site/schema";
import { currentTime } from "@/lib/time/current-time";
import { faultText, outdatedText } from "./fault-text";

/** Saves the site's settings; for administrators. */
export async function saveSettings(_: FormState, form: FormData): Promise<FormState> {
  const values = textValues(form, "shown", ...siteSettingNames);
  const actor = await getUser();
  if (!actor) return loggedOut("/admin/settings", values);
  const now = currentTime();
  // A text that is too long to be shown again must not be passed over.
  const texts = sentTexts(form, ...siteSettingNames);
  const shown = shownValues(values.shown);
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
        errors: { ...errorsOf(outcome.faulty), ...outdatedErrors(outcome.outdated) },
        // The next submission replaces the values that the errors name.
        values: { ...values, shown: JSON.stringify({ ...shown, ...outcome.outdated }) },
      };
    case "forbidden":
      return forbidden();
  }
}

/** The values that the form was shown with. */
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

function outdatedErrors(outdated: SettingTexts): Record<string, string[]> {
  return Object.fromEntries(
    siteSettingNames.flatMap((name) => {
      const text = outdated[name];
      return text === undefined ? [] : [[name, [outdatedText(name, text)]]];
    }),
  );
}

function errorsOf(faulty: Partial<Record<SiteSettingName, string | undefined>>): Record<string, string[]> {
  return Object.fromEntries(
    siteSettingNames.flatMap((name) => {
      const text = faulty[name];
      return text === undefined ? [] : [[name, [faultText(name, text)]]];
    }),
  );
}
