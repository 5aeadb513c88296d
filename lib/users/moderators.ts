/**
 * Moderators: they decide on floods of other authors' posts.
 * Administrators name them.
 */
import { isActingAdministrator } from "./permissions.ts";
import { administrator, setRole } from "./roles.ts";
import { comparisonKey } from "./schema.ts";
import type { DatabaseContext, User } from "./types.ts";

/** Makes a user a moderator, or no longer; for administrators. */
export function setModerator(
  { database }: DatabaseContext,
  { actor, username, isModerator, now }: { actor: User; username: string; isModerator: boolean; now: number },
): Promise<{ kind: "done"; username: string } | { kind: "forbidden" } | { kind: "no-such-user" }> {
  return database.transaction(async () => {
    if (!(await isActingAdministrator(database, actor))) return { kind: "forbidden" };
    const found = await database.users.byUsernameKey(comparisonKey(username));
    const user = found && (await database.users.lock(found.id));
    if (!user) return { kind: "no-such-user" };
    const by = administrator(actor);
    await setRole(database, { user, role: "moderator", given: isModerator, by, now });
    return { kind: "done", username: user.username };
  });
}

/** The names of all moderators, in the order in which they registered. */
export async function moderators({ database }: DatabaseContext): Promise<string[]> {
  return (await database.users.moderators()).map(({ username }) => username);
}
