/**
 * Changes of accounts, roles and invitations, on record.
 * An account is disabled, enabled, approved, rejected or deleted.
 */
import { and, count, desc, eq, gt, inArray, isNull, lt, max, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";
import type { AccountChangeActor } from "../types.ts";
import { langColumn } from "./post-lists.ts";
import { ratingMoveQueries } from "./rating-moves.ts";

const { placeholder } = sql;

type NewAccountChange = Pick<Tables["accountChanges"]["$inferSelect"], "kind" | "at" | "byUserId" | "why"> & {
  actor: AccountChangeActor;
  /** The post, where one was changed. */
  postId?: number;
};

/** The effect of a change on one account. */
export type ChangedUser = Pick<Tables["accountChangeUsers"]["$inferSelect"], "userId" | "deciders">;

export function accountChangeQueries(dialect: Dialect) {
  const { statements, tables } = dialect;
  const { accountChanges, accountChangeUsers, disabledRatings, posts, ratings, users } = tables;
  const selectLatest = (ofAccounts: boolean) =>
    statements
      .select({
        id: accountChanges.id,
        kind: accountChanges.kind,
        at: accountChanges.at,
        actor: accountChanges.actor,
        by: users.username,
        why: accountChanges.why,
        postSlug: posts.slug,
        postTitle: posts.title,
        postLang: langColumn(posts),
        removedNames: accountChanges.removedNames,
        ratings: accountChanges.ratings,
        ratingsMoved: accountChanges.ratingsMoved,
        accounts: accountChanges.accounts,
        accountsLeft: sql<number>`(select count(*) from ${accountChangeUsers} a inner join users u on u.id = a.user_id where a.change_id = ${accountChanges.id} and u.deleted_at is null)`,
        waiting: sql<number>`(select count(*) from users u where u.change_id = ${accountChanges.id})`,
      })
      .from(accountChanges)
      .leftJoin(users, and(eq(users.id, accountChanges.byUserId), isNull(users.deletedAt)))
      .leftJoin(posts, and(eq(posts.id, accountChanges.postId), isNull(posts.deletedAt)))
      .where(
        and(
          lt(accountChanges.id, placeholder("before")),
          ofAccounts ? isNull(accountChanges.postId) : undefined,
        ),
      )
      .orderBy(desc(accountChanges.id))
      .limit(placeholder("limit"));
  const latest = {
    all: selectLatest(false).prepare("latest changes"),
    accounts: selectLatest(true).prepare("latest account changes"),
  };

  const sumOfDeciders = (changed: readonly ChangedUser[]) =>
    changed.reduce((sum, { deciders }) => sum + deciders, 0);

  return {
    ...ratingMoveQueries(dialect),
    /** In a transaction: until it ends, no other one with this lock begins an import. */
    lockImports: () => dialect.lockByName("imports"),
    async insert(change: NewAccountChange) {
      const [row] = await statements
        .insert(accountChanges)
        .values(change)
        .returning({ id: accountChanges.id });
      if (!row) throw new Error("A row that was inserted is returned");
      return row.id;
    },
    /** Adds users, whose ratings are to be moved from now on. */
    async addUsers(changeId: number, changed: readonly ChangedUser[]) {
      const userIds = changed.map(({ userId }) => userId);
      await statements.insert(accountChangeUsers).values(changed.map((user) => ({ changeId, ...user })));
      await statements.update(users).set({ changeId }).where(inArray(users.id, userIds));
      const ofUsers = (table: typeof ratings | typeof disabledRatings) =>
        sql`(select count(*) from ${table} where ${inArray(table.userId, userIds)})`;
      await statements
        .update(accountChanges)
        .set({
          accounts: sql`${accountChanges.accounts} + ${changed.length}`,
          deciders: sql`${accountChanges.deciders} + ${sumOfDeciders(changed)}`,
          ratings: sql`${accountChanges.ratings} + ${ofUsers(ratings)} + ${ofUsers(disabledRatings)}`,
        })
        .where(eq(accountChanges.id, changeId));
    },
    /** Records a change that moves no ratings, of existing users and removed accounts. */
    async record(
      change: NewAccountChange,
      changed: readonly ChangedUser[],
      removed: { names: readonly string[] } | { count: number; deciders: number } = { names: [] },
    ) {
      const isNamed = "names" in removed;
      const [row] = await statements
        .insert(accountChanges)
        .values({
          ...change,
          accounts: changed.length + (isNamed ? removed.names.length : removed.count),
          deciders: sumOfDeciders(changed) + (isNamed ? 0 : removed.deciders),
          ...(isNamed && removed.names.length > 0 && { removedNames: removed.names.join("\n") }),
        })
        .returning({ id: accountChanges.id });
      if (!row) throw new Error("A row that was inserted is returned");
      if (changed.length > 0)
        await statements
          .insert(accountChangeUsers)
          .values(changed.map((user) => ({ changeId: row.id, ...user })));
    },
    /** When another user last lost the right to decide on floods; undefined for never. */
    async lastDeciderLost(exceptUserId: number) {
      // Without the user's own part: only other users count.
      const own = sql`coalesce((select ${accountChangeUsers.deciders} from ${accountChangeUsers} where ${accountChangeUsers.changeId} = ${accountChanges.id} and ${accountChangeUsers.userId} = ${exceptUserId}), 0)`;
      const [row] = await statements
        .select({ at: max(accountChanges.at) })
        .from(accountChanges)
        .where(and(lt(accountChanges.deciders, 0), sql`${accountChanges.deciders} < ${own}`));
      return row?.at ?? undefined;
    },
    /**
     * When one user last gave another the right to decide on floods.
     * Undefined for never.
     */
    async lastMadeDecider(userId: number, byUserId: number) {
      const [row] = await statements
        .select({ at: max(accountChanges.at) })
        .from(accountChanges)
        .innerJoin(accountChangeUsers, eq(accountChangeUsers.changeId, accountChanges.id))
        .where(
          and(
            eq(accountChanges.byUserId, byUserId),
            eq(accountChangeUsers.userId, userId),
            gt(accountChangeUsers.deciders, 0),
          ),
        );
      return row?.at ?? undefined;
    },
    /** Changes before this number, newest first; `all` includes those of posts. */
    latest: async (limit: number, before = Number.MAX_SAFE_INTEGER, of: "accounts" | "all" = "accounts") =>
      (await latest[of].execute({ limit, before })).map(
        ({ removedNames, postSlug, postTitle, postLang, ...row }) => ({
          ...row,
          /** The post that was changed; null for changes of accounts, and deleted posts. */
          post:
            postSlug === null || postTitle === null
              ? null
              : { slug: postSlug, title: postTitle, lang: postLang },
          removedNames: removedNames?.split("\n") ?? [],
          accountsLeft: Number(row.accountsLeft),
          waiting: Number(row.waiting),
        }),
      ),
    /** Why each of these posts was last unpublished, by their numbers. */
    async whyUnpublished(postIds: readonly number[]): Promise<Map<number, string>> {
      const rows = await statements
        .select({ postId: accountChanges.postId, why: accountChanges.why })
        .from(accountChanges)
        .where(and(eq(accountChanges.kind, "unpublish"), inArray(accountChanges.postId, [...postIds])))
        .orderBy(accountChanges.id);
      return new Map(
        rows.flatMap(({ postId, why }) => (postId === null || why === null ? [] : [[postId, why]])),
      );
    },
    /** Some names of a change's accounts, in the order of registration. */
    usernames: async (changeId: number, limit: number) => {
      const found = await statements
        .select({ username: users.username })
        .from(accountChangeUsers)
        .innerJoin(users, eq(users.id, accountChangeUsers.userId))
        .where(and(eq(accountChangeUsers.changeId, changeId), isNull(users.deletedAt)))
        .orderBy(users.id)
        .limit(limit);
      return found.map(({ username }) => username);
    },
    /** How many ratings these users have, and of how many posts. */
    async countRatings(userIds: readonly number[], where: "counted" | "set aside") {
      if (userIds.length === 0) return { ratings: 0, postIds: [] };
      const from = where === "counted" ? ratings : disabledRatings;
      const rows = await statements
        .select({ postId: from.postId, count: count() })
        .from(from)
        .where(inArray(from.userId, [...userIds]))
        .groupBy(from.postId);
      return {
        ratings: rows.reduce((sum, row) => sum + row.count, 0),
        postIds: rows.map(({ postId }) => postId),
      };
    },
  };
}
