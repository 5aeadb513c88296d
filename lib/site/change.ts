/** Changes of the site's settings, for administrators. */
import { withLineFeeds } from "../line-feeds.ts";
import { isActingAdministrator } from "../users/permissions.ts";
import { administrator } from "../users/roles.ts";
import type { DatabaseContext, User } from "../users/types.ts";
import { isInEnvironment, refreshSiteSettings, type SiteSettingName, settingsFrom, textOf } from "./index.ts";
import { faultySettings, siteDefaults, siteFields, siteSettingNames } from "./schema.ts";

/** The submitted texts; a setting that is absent stays as it is. */
export type SettingTexts = { [Name in SiteSettingName]?: string | undefined };

export type SettingsChanged =
  | { kind: "saved"; changed: SiteSettingName[] }
  /**
   * Nothing is saved.
   * The texts that are no values of their settings, and the values that others saved since the form was shown.
   */
  | { kind: "invalid"; faulty: SettingTexts; outdated: SettingTexts }
  | { kind: "forbidden" };

/**
 * Saves settings, on record, and applies them in this process.
 * An empty text restores the default. Leaves out what the environment sets, and the texts that are as they were `shown`:
 * an old form must not undo the changes of others.
 */
export async function changeSettings(
  { database }: DatabaseContext,
  {
    actor,
    texts: sent,
    shown: sentShown = {},
    now,
  }: { actor: User; texts: SettingTexts; shown?: SettingTexts; now: number },
): Promise<SettingsChanged> {
  const texts = withoutSpaceAround(sent);
  const shown = withoutSpaceAround(sentShown);
  const values = new Map<SiteSettingName, string | null>();
  const faulty: SettingTexts = {};
  for (const name of siteSettingNames) {
    const text = texts[name];
    if (text === undefined || isInEnvironment(name)) continue;
    const parsed = siteFields[name].safeParse(text);
    if (text === "") values.set(name, null);
    else if (!parsed.success) faulty[name] = text;
    else values.set(name, savedText(name, textOf(name, { [name]: parsed.data })));
  }
  const outcome = await database.transaction(async (): Promise<SettingsChanged> => {
    if (!(await isActingAdministrator(database, actor))) return { kind: "forbidden" };
    const saved = await database.siteSettings.all();
    const current = settingsFrom(saved);
    const bad = faultySettings(saved);
    const changed = [...values.keys()].filter(
      (name) =>
        values.get(name) !== (saved.get(name) ?? null) &&
        // A bad saved value is replaced by the one that counts for it.
        (bad.includes(name) || texts[name] !== shown[name]),
    );
    const outdated: SettingTexts = {};
    for (const name of changed)
      if (shown[name] !== undefined && shown[name] !== textOf(name, current))
        outdated[name] = textOf(name, current);
    if (Object.keys(faulty).length + Object.keys(outdated).length > 0)
      return { kind: "invalid", faulty, outdated };
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
  });
  if (outcome.kind === "saved") await refreshSiteSettings(database);
  return outcome;
}

function withoutSpaceAround(texts: SettingTexts): SettingTexts {
  return Object.fromEntries(
    siteSettingNames.map((name) => {
      const text = texts[name];
      return [name, text === undefined ? undefined : withLineFeeds(text).trim()];
    }),
  );
}

/** The text to save; null for the default. */
function savedText(name: SiteSettingName, text: string): string | null {
  return text === textOf(name, siteDefaults) ? null : text;
}
