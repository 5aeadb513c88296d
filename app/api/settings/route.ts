import { settingsChangeSchema, shownSettings } from "@/lib/api/administration";
import { notConfirmed } from "@/lib/api/confirmation";
import { asAdministrator, failed, failedFor, json, route, withInput } from "@/lib/api/route";
import { app } from "@/lib/app";
import { getSession } from "@/lib/auth";
import { isInEnvironment, refreshSiteSettings } from "@/lib/site";
import { changeMailSettings, changeSettings } from "@/lib/site/change";
import { settingErrors } from "@/lib/site/error-text";
import { mailServerName, siteSettingNames } from "@/lib/site/schema";
import { type FieldErrors, validate } from "@/lib/validation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The site's settings; for administrators. */
  GET: asAdministrator(async () => {
    // Another node may have saved them a moment ago.
    await refreshSiteSettings(app().database);
    return json(shownSettings());
  }),
  /** Changes settings, all of them or none; for administrators. */
  PATCH: asAdministrator(
    withInput(32_768, async ({ user, token, input, address, now }) => {
      const checked = validate(settingsChangeSchema, input);
      if (!checked.ok) return failed({ kind: "invalid", errors: checked.errors });
      const { currentPassword, ...texts } = checked.value;
      const changesMail = mailServerName in texts || "MAIL_FROM" in texts;
      if (token && changesMail) return failed({ kind: "not-by-token" });
      const locked = lockedErrors(texts);
      if (Object.keys(locked).length > 0) return failed({ kind: "invalid", errors: locked });
      const session = changesMail ? await getSession() : null;
      const outcome = session
        ? await changeMailSettings(app(), { session, input: { currentPassword }, address, texts, now })
        : await changeSettings(app(), { actor: user, texts, now });
      if (outcome.kind === "password-refused") return notConfirmed(outcome.outcome);
      // The session has ended meanwhile.
      if (outcome.kind === "password-required") return failed({ kind: "not-logged-in" });
      if (outcome.kind === "invalid") return failed({ kind: "invalid", errors: settingErrors(outcome) });
      return outcome.kind === "saved" ? json(shownSettings()) : failedFor(user, outcome);
    }),
  ),
});

/** Errors for settings that the environment sets. */
function lockedErrors(texts: Record<string, unknown>): FieldErrors {
  const names = [...siteSettingNames, mailServerName] as const;
  return Object.fromEntries(
    names
      .filter((name) => texts[name] !== undefined && isInEnvironment(name))
      .map((name) => [name, [`The server's environment sets ${name}: change it there.`]]),
  );
}
