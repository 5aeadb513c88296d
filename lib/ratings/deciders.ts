/**
 * Who decides on flood windows: administrators and moderators, but no author of the post, and no one whom the author made
 * a decider after the flood began. Only where the author is an administrator and no other person could have decided, also
 * not in the month before the flood, they decide, which readers see.
 */
import type { Database, DeciderRole } from "../../db/index.ts";
import type { User } from "../users/types.ts";

export type { DeciderRole };

type Rights = Pick<User, "id" | "isAdministrator" | "isModerator">;

/** Whether the user decides on floods of other authors' posts. */
export function isDecider(user: Pick<Rights, "isAdministrator" | "isModerator"> | null): boolean {
  return user !== null && (user.isAdministrator || user.isModerator);
}

/**
 * Whether the user may see a post's activity and flood windows in detail. A moderator sees that of posts with a flood
 * window, since every window may be decided on, also again.
 */
export function maySeeActivity(
  post: { authorId: number; windowCount: number },
  user: Rights | null,
): boolean {
  if (user === null) return false;
  return user.id === post.authorId || user.isAdministrator || (user.isModerator && post.windowCount > 0);
}

/** What makes a user a decider on a post's windows: on those that opened after an instant, in milliseconds. */
export interface Deciding {
  role: DeciderRole;
  openedAfter: number;
}

/** Another person who could decide within this time before a flood began keeps an author from deciding on it. */
export const soleDeciderMs = 30 * 86_400_000;

/**
 * On which of a post's windows the user decides; null for none. Reads their rights from the database: in a transaction,
 * after locking the post, a role that was removed meanwhile no longer counts.
 */
export async function decidingOf(
  { users, accountChanges }: Pick<Database, "users" | "accountChanges">,
  post: { authorId: number },
  userId: number,
): Promise<Deciding | null> {
  const user = (await users.active(userId)) ? await users.byId(userId) : undefined;
  if (!user || !isDecider(user)) return null;
  if (user.id !== post.authorId) {
    const openedAfter = (await accountChanges.lastMadeDecider(user.id, post.authorId)) ?? -Infinity;
    return { role: user.isAdministrator ? "administrator" : "moderator", openedAfter };
  }
  // The others first: one who is demoted between the two questions has then been recorded.
  if (!user.isAdministrator || (await users.hasDeciderBesides(user.id))) return null;
  const lostAt = await accountChanges.lastDeciderLost(user.id);
  return {
    role: "author-administrator",
    openedAfter: lostAt === undefined ? -Infinity : lostAt + soleDeciderMs,
  };
}

/** Whether this makes a user a decider on a window. */
export function decidesOn(deciding: Deciding | null, window: { openedAt: number }): deciding is Deciding {
  return deciding !== null && window.openedAt > deciding.openedAfter;
}
