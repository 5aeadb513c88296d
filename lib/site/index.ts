/**
 * The site's settings.
 * The environment's values, else those that administrators have saved, else the defaults.
 *
 * Each process keeps them in memory, because every page reads them. A change is read from the database at once by the
 * process that made it, and by the others within half a second.
 */
import type { Database } from "../../db/index.ts";
import { type Locale, locales } from "../i18n/locale.ts";
import { log } from "../logging/log.ts";
import { countPageChange } from "../request/page-changes.ts";
import { env } from "../settings/env.ts";
import type { SmtpServer } from "../settings/mail-settings.ts";
import { mailServerFrom } from "./mail-server.ts";
import {
  invalidSettings,
  type mailServerName,
  type SiteImages,
  type SiteSettingName,
  type SiteSettings,
  type SomeSiteSettings,
  siteImagesFrom,
  siteSchema,
  siteSettingNames,
  valuesIfInvalid,
} from "./schema.ts";

export type { SiteSettingName, SiteSettings };

/** How often a process looks for changes by others. */
export const refreshEveryMs = 500;

interface Kept {
  settings: SiteSettings;
  images: SiteImages;
  mailServer: SmtpServer | "unreadable" | undefined;
  /** The saved values that they were made of. */
  saved: string;
  /** The names of those with bad values. */
  invalid: string[];
  lastRead: Promise<unknown>;
}

// On the global object: the build bundles a copy of this module, and the server loads it as it is.
const shared: { weirSite?: Kept } & typeof globalThis = globalThis;
shared.weirSite ??= {
  settings: settingsFrom(new Map()),
  images: {},
  mailServer: mailServerFrom(new Map()),
  saved: "",
  invalid: [],
  lastRead: Promise.resolve(),
};
const kept = shared.weirSite;

/** The settings as they count now. */
export function siteSettings(): SiteSettings {
  return kept.settings;
}

/** The site's logo and icon as they count now. */
export function siteImages(): SiteImages {
  return kept.images;
}

/** The mail server as it counts now; unreadable when it cannot be decrypted. */
export function siteMailServer(): SmtpServer | "unreadable" | undefined {
  return kept.mailServer;
}

/** The languages that readers can choose, the site's own first. */
export function siteLocales(): readonly [Locale, ...Locale[]] {
  const { SITE_LANGUAGE: own, SITE_LANGUAGES: offered } = kept.settings;
  return [own, ...offered.filter((locale) => locale !== own)];
}

/** The settings whose saved value is bad, and which the environment does not set. */
export function invalidSiteSettings(): SiteSettingName[] {
  return siteSettingNames.filter((name) => kept.invalid.includes(name) && !isInEnvironment(name));
}

/** Whether the environment sets a value, which then cannot be changed on a page. */
export function isInEnvironment(name: SiteSettingName | typeof mailServerName): boolean {
  return env[name] !== undefined;
}

/**
 * Reads the saved settings again.
 * One read after the other: an older one must not replace a newer one.
 */
export function refreshSiteSettings(database: Pick<Database, "siteSettings">): Promise<void> {
  const read = kept.lastRead.then(async () => {
    const saved = await database.siteSettings.all();
    const text = JSON.stringify([...saved].sort());
    if (text === kept.saved) return;
    kept.saved = text;
    kept.invalid = invalidSettings(saved);
    if (kept.invalid.length > 0)
      log.warn({ settings: kept.invalid }, "saved settings that this version cannot read are ignored");
    kept.settings = settingsFrom(saved);
    kept.images = siteImagesFrom(saved);
    kept.mailServer = mailServerFrom(saved);
    if (kept.mailServer === "unreadable")
      log.error(
        "no mail is sent: the saved mail server cannot be decrypted, since AUTH_SECRET has changed; enter it again on /admin/settings",
      );
    countPageChange();
  });
  kept.lastRead = read.catch(() => {});
  return read;
}

/**
 * The settings with these saved values.
 * A value that this version cannot read, as after a downgrade, is ignored; for registration and writing it counts as the
 * strictest.
 */
export function settingsFrom(
  saved: ReadonlyMap<string, string>,
  environment: SomeSiteSettings = env,
): SiteSettings {
  const invalid = invalidSettings(saved);
  const good = [...saved].flatMap(([name, text]) => {
    const value = invalid.includes(name) ? valuesIfInvalid.get(name) : text;
    return value === undefined ? [] : [[name, value]];
  });
  const given = siteSettingNames.flatMap((name) =>
    environment[name] === undefined ? [] : [[name, textOf(name, environment)]],
  );
  return withOfferedLanguage(siteSchema.parse(Object.fromEntries([...good, ...given])), environment);
}

/**
 * The settings with the site's language among those that it offers.
 * They may be from different places: the environment's counts, and otherwise the languages that are offered.
 */
function withOfferedLanguage(settings: SiteSettings, environment: SomeSiteSettings): SiteSettings {
  const { SITE_LANGUAGE: own, SITE_LANGUAGES: offered } = settings;
  if (offered.includes(own)) return settings;
  if (environment.SITE_LANGUAGE === undefined) return { ...settings, SITE_LANGUAGE: offered[0] };
  const [first = own, ...others] = locales.filter((locale) => locale === own || offered.includes(locale));
  return { ...settings, SITE_LANGUAGES: [first, ...others] };
}

/** A setting as the text that its schema reads. */
export function textOf(name: SiteSettingName, settings: SomeSiteSettings): string {
  const value = settings[name];
  if (!Array.isArray(value)) return value ?? "";
  return value
    .map((item) => (typeof item === "string" ? item : `${item.label} ${item.address}`))
    .join(name === "SITE_LANGUAGES" ? ", " : "\n");
}
