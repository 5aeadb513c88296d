/** The role of writers, where not every user may write. */
import type { WhoMayWrite } from "../site/schema.ts";
import { asActingAdministrator } from "./permissions.ts";
import { administrator, setRole } from "./roles.ts";
import type { DatabaseContext, User } from "./types.ts";

/** The most requests that the list for administrators shows. */
const requestsShown = 50;

export function mayWrite(user: Pick<User, "isWriter">, whoMayWrite: WhoMayWrite): boolean {
  return whoMayWrite === "anyone" || user.isWriter === true;
}

/**
 * Requests to write, for a user who may not.
 * A second request changes nothing; an account that waits for approval makes none.
 */
export async function requestToWrite(
  { database, whoMayWrite }: DatabaseContext & { whoMayWrite: WhoMayWrite },
  { user, now }: { user: User; now: number },
): Promise<void> {
  if (whoMayWrite !== "approved" || user.isWriter || user.isPending) return;
  await database.users.setWritingRequestedAt(user.id, now);
}

/** When a user requested to write; null when they did not. */
export function writingRequestedAt({ database }: DatabaseContext, { id }: User): Promise<number | null> {
  return database.users.writingRequestedAt(id);
}

/**
 * The people who request to write, the longest waiting first.
 * None for others than administrators.
 */
export async function writingRequests(
  { database: { users } }: DatabaseContext,
  { isAdministrator }: Pick<User, "isAdministrator">,
): Promise<{ requests: { id: number; username: string; requestedAt: number | null }[]; count: number }> {
  if (!isAdministrator) return { requests: [], count: 0 };
  return {
    requests: await users.requestingToWrite(requestsShown),
    count: await users.countRequestingToWrite(),
  };
}

/**
 * Answers a request to write, on record; for administrators.
 * `answered` is false when another administrator has answered it.
 */
export function answerWritingRequest(
  { database }: DatabaseContext,
  { actor, id, accept, now }: { actor: User; id: number; accept: boolean; now: number },
): Promise<{ kind: "done"; answered: boolean } | { kind: "forbidden" }> {
  const { users, accountChanges } = database;
  return asActingAdministrator(database, actor, async () => {
    const user = await users.lock(id);
    if (!user || user.writingRequestedAt === null) return { kind: "done", answered: false };
    const by = administrator(actor);
    if (accept) await setRole(database, { user, role: "writer", given: true, by, now });
    else {
      await users.setWritingRequestedAt(id, null);
      const change = { kind: "decline-writer", at: now, ...by, why: null } as const;
      await accountChanges.record(change, [{ userId: id, deciders: 0 }]);
    }
    return { kind: "done", answered: true };
  });
}
