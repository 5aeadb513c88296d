/**
 * The right to decide on flood windows.
 * Administrators and moderators, except the post's author and users who became deciders through the author after the
 * flood began. An author who is an administrator decides only when no other user could, now or in the month before the
 * flood; readers see that.
 */
import type { Database, DeciderRole } from "../../../db/index.ts";
import { dayMs } from "../../time/units.ts";
import type { User } from "../../users/types.ts";

export type { DeciderRole };

type Rights = Pick<User, "id" | "isAdministrator" | "isModerator">;

/** Whether the user decides on floods of other authors' posts. */
export function isDecider(user: Pick<Rights, "isAdministrator" | "isModerator"> | null): boolean {
  return user !== null && (user.isAdministrator || user.isModerator);
}

/**
 * Whether the user may see a post's activity and flood windows in detail.
 * A moderator may for posts with a flood window, since a decision on any window can be changed.
 */
export function maySeeActivity(
  post: { authorId: number; windowCount: number },
  user: Rights | null,
): boolean {
  if (user === null) return false;
  return user.id === post.authorId || user.isAdministrator || (user.isModerator && post.windowCount > 0);
}

/**
 * A user's right to decide on a post's windows.
 * It covers windows that opened after `openedAfter`, in milliseconds.
 */
export interface DecisionRight {
  role: DeciderRole;
  openedAfter: number;
}

/** How long before a flood another user's right to decide excludes the author. */
const soleDeciderMs = 30 * dayMs;

/**
 * On which of a post's windows the user decides.
 * Null for none. Reads their rights from the database: in a transaction, after locking the post, a role that was
 * removed meanwhile no longer counts.
 */
export async function decisionRightOf(
  { users, accountChanges }: Pick<Database, "users" | "accountChanges">,
  post: { authorId: number },
  { id: userId, lacksSecondFactor }: Pick<User, "id" | "lacksSecondFactor">,
): Promise<DecisionRight | null> {
  if (lacksSecondFactor) return null;
  const user = (await users.active(userId)) ? await users.byId(userId) : undefined;
  if (!user || !isDecider(user)) return null;
  if (user.id !== post.authorId) {
    const openedAfter = (await accountChanges.lastMadeDecider(user.id, post.authorId)) ?? -Infinity;
    return { role: user.isAdministrator ? "administrator" : "moderator", openedAfter };
  }
  // The other users first: a demotion between the two queries has then been recorded.
  if (!user.isAdministrator || (await users.hasOtherDecider(user.id))) return null;
  const lostAt = await accountChanges.lastDeciderLost(user.id);
  return {
    role: "author-administrator",
    openedAfter: lostAt === undefined ? -Infinity : lostAt + soleDeciderMs,
  };
}

/** Whether this makes a user a decider on a window. */
export function decidesOn(
  decisionRight: DecisionRight | null,
  window: { openedAt: number },
): decisionRight is DecisionRight {
  return decisionRight !== null && window.openedAt > decisionRight.openedAfter;
}
