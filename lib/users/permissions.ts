import type { Database } from "../../db/index.ts";
import type { User } from "./types.ts";

/**
 * Whether a user is an administrator now.
 * A session's rights may be older than the last change.
 */
export async function isActingAdministrator(
  { users }: Pick<Database, "users">,
  { id, lacksSecondFactor }: User,
): Promise<boolean> {
  if (lacksSecondFactor) return false;
  const user = await users.byId(id);
  return user?.isAdministrator === true && user.disabledAt === null;
}

/** Runs `work` in a transaction if the user is an administrator now. */
export function asActingAdministrator<Result>(
  database: Database,
  actor: User,
  work: () => Promise<Result>,
): Promise<Result | { kind: "forbidden" }> {
  return database.transaction(async () =>
    (await isActingAdministrator(database, actor)) ? work() : { kind: "forbidden" },
  );
}
