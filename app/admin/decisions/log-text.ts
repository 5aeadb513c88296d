import type { ListedChange } from "@/lib/account-changes";
import { translator } from "@/lib/i18n";

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
