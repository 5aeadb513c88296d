/**
 * Who decides on flood windows: administrators and moderators, but no author of the post. Only where the author is an
 * administrator and no other person could decide, they decide, which readers see.
 */
import type { Database, DeciderRole } from "../../db/index.ts";
import type { User } from "../users/types.ts";

export type { DeciderRole };

type Rights = Pick<User, "id" | "isAdministrator" | "isModerator">;

/** Whether the user decides on floods of other authors' posts. */
export function isDecider(user: Pick<Rights, "isAdministrator" | "isModerator"> | null): boolean {
  return user !== null && (user.isAdministrator || user.isModerator);
}

/** Whether the user may see a post's activity and flood windows in detail. */
export function maySeeActivity(post: { authorId: number }, user: Rights | null): boolean {
  return user !== null && (user.id === post.authorId || isDecider(user));
}

/**
 * What makes the user a decider on a post's windows; null if nothing does. Reads their rights from the database: in a
 * transaction, after locking the post, a role that was removed meanwhile no longer counts.
 */
export async function deciderRoleOf(
  { users }: Pick<Database, "users">,
  post: { authorId: number },
  userId: number,
): Promise<DeciderRole | null> {
  const user = (await users.active(userId)) ? await users.byId(userId) : undefined;
  if (!user || !isDecider(user)) return null;
  if (user.id !== post.authorId) return user.isAdministrator ? "administrator" : "moderator";
  return user.isAdministrator && !(await users.hasDeciderBesides(user.id)) ? "author-administrator" : null;
}
