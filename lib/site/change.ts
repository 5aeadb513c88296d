/** Changes of the site's settings, for administrators. */
import type { MailContext } from "../mail/confirm-email.ts";
import { canSendLinks } from "../mail/settings.ts";
import type { NotConfirmed } from "../second-factor/index.ts";
import type { Session } from "../sessions/index.ts";
import { withLineFeeds } from "../text/line-feeds.ts";
import { withPassword } from "../users/password-guess.ts";
import { isActingAdministrator } from "../users/permissions.ts";
import { administrator } from "../users/roles.ts";
import { confirmationSchema } from "../users/schema.ts";
import type { AccountContext, User } from "../users/types.ts";
import { validate } from "../validation.ts";
import {
  isInEnvironment,
  refreshSiteSettings,
  type SiteSettingName,
  type SiteSettings,
  settingsFrom,
  textOf,
} from "./index.ts";
import { encryptedMailUrl, isMailUrl } from "./mail-server.ts";
import { invalidSettings, mailServerName, siteDefaults, siteFields, siteSettingNames } from "./schema.ts";

const changeableNames = [...siteSettingNames, mailServerName] as const;
type ChangeableName = (typeof changeableNames)[number];

/** The submitted texts; a setting that is absent stays as it is. */
export type SettingTexts = { [Name in ChangeableName]?: string | undefined };

export type SettingsChanged =
  | { kind: "saved"; changed: ChangeableName[] }
  /**
   * Nothing is saved.
   * The texts that are not values of their settings, and the values that others saved since the form was shown.
   */
  | { kind: "invalid"; invalid: SettingTexts; outdated: SettingTexts }
  /** Mail settings would change, without the administrator's password. */
  | { kind: "password-required" }
  | { kind: "forbidden" };

/**
 * Saves settings of mail and others, when the administrator's password is right.
 * Emails have links that set passwords: another mail server could read them. So a stolen session alone changes none.
 */
export async function changeMailSettings(
  context: AccountContext,
  {
    session,
    input,
    address,
    ...change
  }: { session: Session; input: unknown; address: string } & Omit<SettingsChange, "actor">,
): Promise<
  | Exclude<SettingsChanged, { kind: "password-required" }>
  | { kind: "password-refused"; outcome: NotConfirmed }
> {
  if (!(await isActingAdministrator(context.database, session.user))) return { kind: "forbidden" };
  const checked = validate(confirmationSchema, input);
  if (!checked.ok) return { kind: "password-refused", outcome: { kind: "invalid", errors: checked.errors } };
  const password = checked.value.currentPassword;
  const request = { session, password, purpose: "change-mail-server", address, now: change.now } as const;
  const outcome = await withPassword(context, request, async () => ({
    kind: "confirmed" as const,
    changed: await save(context, { ...change, actor: session.user }),
  }));
  if (outcome.kind !== "confirmed") return { kind: "password-refused", outcome };
  return inEffect(context, outcome.changed);
}

interface SettingsChange {
  actor: User;
  texts: SettingTexts;
  shown?: SettingTexts;
  now: number;
}

/**
 * Saves settings, except those of mail.
 * They are put on record and apply in this process at once. An empty text restores the default. Leaves out settings
 * of the environment, and the texts that are as they were `shown`: an old form must not undo the changes of others.
 */
export async function changeSettings(context: MailContext, change: SettingsChange): Promise<SettingsChanged> {
  const { texts } = change;
  const changesMail = texts[mailServerName] !== undefined || texts.MAIL_FROM !== undefined;
  if (changesMail) return { kind: "password-required" };
  return inEffect(context, await context.database.transaction(() => save(context, change)));
}

/** Applies saved settings in this process, once they are committed. */
async function inEffect<Outcome extends SettingsChanged>(
  { database }: Pick<MailContext, "database">,
  outcome: Outcome,
): Promise<Outcome> {
  if (outcome.kind === "saved") await refreshSiteSettings(database);
  return outcome;
}

/** Call it in a transaction. */
async function save(
  { database, mail }: MailContext,
  { actor, texts: sent, shown: sentShown = {}, now }: SettingsChange,
): Promise<Exclude<SettingsChanged, { kind: "password-required" }>> {
  const shown = withoutSpaceAround(sentShown);
  const { texts, values, invalid } = readSettings(sent);
  if (!(await isActingAdministrator(database, actor))) return { kind: "forbidden" };
  const saved = await database.siteSettings.lock();
  const current = settingsFrom(saved);
  const bad = invalidSettings(saved);
  const changed = [...values.keys()].filter(
    (name) =>
      values.get(name) !== (saved.get(name) ?? null) &&
      // A bad saved value is replaced by the one that counts for it.
      (bad.includes(name) || texts[name] !== shown[name]),
  );
  const outdated: SettingTexts = {};
  for (const name of changed)
    if (name !== mailServerName && shown[name] !== undefined && shown[name] !== textOf(name, current))
      outdated[name] = textOf(name, current);
  if (!offersLanguage(texts, current)) {
    const name = values.has("SITE_LANGUAGES") ? "SITE_LANGUAGES" : "SITE_LANGUAGE";
    invalid[name] ??= texts[name];
  }
  // No one could confirm an address. As it is, it stays: it is `off` meanwhile.
  if (changed.includes("EMAIL_VERIFICATION") && values.get("EMAIL_VERIFICATION") && !canSendLinks({ mail }))
    invalid.EMAIL_VERIFICATION = texts.EMAIL_VERIFICATION;
  if (Object.keys(invalid).length + Object.keys(outdated).length > 0)
    return { kind: "invalid", invalid, outdated };
  if (changed.length === 0) return { kind: "saved", changed };
  await database.siteSettings.save(new Map(changed.map((name) => [name, values.get(name) ?? null])));
  const change = {
    kind: "change-settings",
    at: now,
    ...administrator(actor),
    why: changed.join(", "),
  } as const;
  await database.accountChanges.record(change, []);
  // As when a server starts: authors keep the right to write.
  if (changed.includes("WHO_MAY_WRITE") && values.get("WHO_MAY_WRITE"))
    await database.users.makeAuthorsWriters();
  return { kind: "saved", changed };
}

/** Whether the site's language is one of those that it offers, with these texts. */
function offersLanguage(texts: SettingTexts, current: SiteSettings): boolean {
  const text = (name: "SITE_LANGUAGE" | "SITE_LANGUAGES") =>
    isInEnvironment(name) ? textOf(name, current) : (texts[name] ?? textOf(name, current));
  const offered = siteFields.SITE_LANGUAGES.safeParse(text("SITE_LANGUAGES"));
  const own = siteFields.SITE_LANGUAGE.safeParse(text("SITE_LANGUAGE"));
  // An empty text restores a default, which follows from the other setting.
  return !offered.success || !own.success || offered.data.includes(own.data);
}

/** The trimmed texts, the values to save, and the texts that are not values. */
function readSettings(sent: SettingTexts) {
  const texts = withoutSpaceAround(sent);
  const values = new Map<ChangeableName, string | null>();
  const invalid: SettingTexts = {};
  for (const name of changeableNames) {
    const text = texts[name];
    if (text === undefined || isInEnvironment(name)) continue;
    if (text === "") {
      values.set(name, null);
      continue;
    }
    if (name === mailServerName) {
      if (isMailUrl(text)) values.set(name, encryptedMailUrl(text));
      else invalid[name] = text;
      continue;
    }
    const parsed = siteFields[name].safeParse(text);
    if (!parsed.success) invalid[name] = text;
    else values.set(name, savedText(name, textOf(name, { [name]: parsed.data })));
  }
  return { texts, values, invalid };
}

function withoutSpaceAround(texts: SettingTexts): SettingTexts {
  return Object.fromEntries(
    changeableNames.map((name) => {
      const text = texts[name];
      return [name, text === undefined ? undefined : withLineFeeds(text).trim()];
    }),
  );
}

/** The text to save; null for the default. */
function savedText(name: SiteSettingName, text: string): string | null {
  return text === textOf(name, siteDefaults) ? null : text;
}
