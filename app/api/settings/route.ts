import { settingsChangeSchema, shownSettings } from "@/lib/api/administration";
import { asAdministrator, failed, failedFor, json, route, withInput } from "@/lib/api/route";
import { app } from "@/lib/app";
import { isInEnvironment, refreshSiteSettings } from "@/lib/site";
import { changeSettings } from "@/lib/site/change";
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
    withInput(32_768, async ({ user, token, input, now }) => {
      const checked = validate(settingsChangeSchema, input);
      if (!checked.ok) return failed({ kind: "invalid", errors: checked.errors });
      // The mails of another server would have the links that set passwords.
      if (token && (mailServerName in checked.value || "MAIL_FROM" in checked.value))
        return failed({ kind: "not-by-token" });
      const locked = lockedErrors(checked.value);
      if (Object.keys(locked).length > 0) return failed({ kind: "invalid", errors: locked });
      const outcome = await changeSettings(app(), { actor: user, texts: checked.value, now });
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
