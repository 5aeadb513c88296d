/** Users as administrators look for them, page by page. */
import { and, desc, eq, gt, gte, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";

interface UserSearch {
  /**
   * The beginning of names or of email addresses, in comparison form.
   * Without it all users, or some of them.
   */
  beginning?: { of: "username" | "email"; text: string } | undefined;
  only?: "staff" | "disabled" | undefined;
  /** The last user of the page before; a search begins again when that user is gone. */
  afterId?: number | undefined;
  limit: number;
}

export function userSearchQueries({ statements, tables: { users } }: Dialect) {
  const columns = {
    id: users.id,
    username: users.username,
    email: users.email,
    isAdministrator: users.isAdministrator,
    isModerator: users.isModerator,
    isWriter: users.isWriter,
    disabledAt: users.disabledAt,
    pendingSince: users.pendingSince,
    createdAt: users.createdAt,
  };
  const keys = { username: users.usernameKey, email: users.emailKey };
  const kinds = {
    staff: or(users.isAdministrator, users.isModerator),
    disabled: isNotNull(users.disabledAt),
  };

  return {
    /** A page of users: by the searched key, or without a search the newest first. */
    search: ({ beginning, only, afterId, limit }: UserSearch) => {
      const isSome = and(isNull(users.deletedAt), only && kinds[only]);
      if (!beginning)
        return statements
          .select(columns)
          .from(users)
          .where(and(isSome, afterId === undefined ? undefined : lt(users.id, afterId)))
          .orderBy(desc(users.id))
          .limit(limit);
      const { of, text } = beginning;
      const key = keys[of];
      const last = statements
        .select({ key })
        .from(users)
        .where(and(eq(users.id, afterId ?? 0), isNull(users.deletedAt)));
      return (
        statements
          .select(columns)
          .from(users)
          // Every text with this beginning is below it with the last character there is.
          .where(
            and(
              isSome,
              gte(key, text),
              lt(key, `${text}\u{10ffff}`),
              afterId === undefined ? undefined : gt(key, sql`coalesce((${last}), '')`),
            ),
          )
          .orderBy(key)
          .limit(limit)
      );
    },
  };
}
