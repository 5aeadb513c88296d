import type { ListedChange } from "@/lib/account-changes";
import { formatter, translator } from "@/lib/i18n";
import { mailServerName, siteImageNames, siteSettingNames } from "@/lib/site/schema";

/** The maker of a change, where it is not an account that still exists. */
export function actorText({ actor }: Pick<ListedChange, "actor">): string {
  // Earlier versions recorded an operator and a deleted account alike.
  return translator("admin")(`log.by.${actor ?? "unknown"}`);
}

/**
 * The accounts of a change besides those that are named.
 * Empty when there are none.
 */
export function othersTexts({
  accounts,
  accountsLeft,
  removedNames,
  usernames,
}: Pick<ListedChange, "accounts" | "accountsLeft" | "removedNames" | "usernames">): string[] {
  const t = translator("admin");
  const unnamed = accountsLeft + removedNames.length - usernames.length;
  const deleted = accounts - accountsLeft - removedNames.length;
  return [
    ...(unnamed > 0 ? [t("log.more", { count: unnamed })] : []),
    ...(deleted > 0 ? [t("log.deleted", { count: deleted })] : []),
  ];
}

/**
 * The ratings that a change takes out of the scores, or restores.
 * Undefined where none move.
 */
export function progressText({
  kind,
  ratings,
  ratingsMoved,
  waiting,
}: Pick<ListedChange, "kind" | "ratings" | "ratingsMoved" | "waiting">): string | undefined {
  const t = translator("admin");
  if (kind !== "disable" && kind !== "enable") return undefined;
  if (waiting === 0)
    return kind === "disable"
      ? t("log.takenOut", { count: ratingsMoved })
      : t("log.restored", { count: ratingsMoved });
  const progress = { count: ratingsMoved, all: ratings };
  return kind === "disable" ? t("log.takenOutSoFar", progress) : t("log.restoredSoFar", progress);
}

/**
 * Changed settings of the site by the names that their page shows.
 * `names` as they are recorded, separated by commas; an unknown one stays.
 */
export function settingsText(names: string): string {
  const t = translator("siteSettings");
  const settingNames = [...siteSettingNames, mailServerName] as const;
  const texts = names.split(", ").map((name) => {
    const setting = settingNames.find((each) => each === name);
    if (setting) return t(`label.${setting}`);
    const image = siteImageNames.find((each) => each === name);
    return image ? t(`images.label.${image}`) : name;
  });
  return formatter().list(texts);
}
