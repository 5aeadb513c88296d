/** The names of accounts and decision makers in the list of account changes. */
import type { ListedChange } from "@/lib/account-changes";
import { formatNumber } from "@/lib/limiter/text";

const actorTexts: Record<NonNullable<ListedChange["actor"]>, string> = {
  administrator: "by a deleted account",
  operator: "by the operator",
  owner: "by its owner",
  server: "by the server, because no other administrator could log in",
  upgrade: "by an update of the server",
};

/** The maker of a change, where it is not an account that still exists. */
export function actorText({ actor }: Pick<ListedChange, "actor">): string {
  // Earlier versions recorded the two alike.
  return actor === null ? "by the operator or a deleted account" : actorTexts[actor];
}

/**
 * The accounts of a change besides those that are named.
 * Undefined when there are none.
 */
export function othersText({
  accounts,
  accountsLeft,
  removedNames,
  usernames,
}: Pick<ListedChange, "accounts" | "accountsLeft" | "removedNames" | "usernames">): string | undefined {
  const unnamed = accountsLeft + removedNames.length - usernames.length;
  const deleted = accounts - accountsLeft - removedNames.length;
  const parts = [
    unnamed > 0 ? `${formatNumber(unnamed)} more` : "",
    deleted === 1 ? "a deleted account" : deleted > 1 ? `${formatNumber(deleted)} deleted accounts` : "",
  ].filter((part) => part !== "");
  return parts.length > 0 ? parts.join(" and ") : undefined;
}
