import {
  and,
  count,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  like,
  lt,
  notInArray,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";
import { langColumn } from "./post-lists.ts";

type NewImage = Omit<Tables["media"]["$inferInsert"], "id">;

export function mediaQueries({
  statements,
  tables: { media, mediaFolder, postMedia, posts, users },
  locking,
  lockByName,
}: Dialect) {
  const listed = {
    id: media.id,
    name: media.name,
    userId: media.userId,
    width: media.width,
    height: media.height,
    isAnimated: media.isAnimated,
    bytes: media.bytes,
    alt: media.alt,
    createdAt: media.createdAt,
  };

  const selectWithOwner = (condition: SQL | undefined) =>
    statements
      .select({ ...listed, userId: users.id, username: users.username })
      .from(media)
      .innerJoin(users, and(eq(users.id, media.userId), isNull(users.deletedAt)))
      .where(condition);
  const selectById = (id: number) => statements.select(listed).from(media).where(eq(media.id, id));

  return {
    /**
     * The database's id for its folder of images; undefined at first.
     * In a transaction: no other reads or saves it until it ends.
     */
    async lockFolderId() {
      await lockByName("media folder");
      return (await statements.select().from(mediaFolder))[0]?.databaseId;
    },
    /** Call it after `lockFolderId`, when there is none. */
    async saveFolderId(databaseId: string) {
      await statements.insert(mediaFolder).values({ id: 1, databaseId });
    },
    async insert(image: NewImage) {
      const [row] = await statements.insert(media).values(image).returning({ id: media.id });
      if (!row) throw new Error("An image was not saved.");
      return row.id;
    },
    byId: async (id: number) => (await selectById(id))[0],
    /** As `byId`; in a transaction, no post begins to use it until it ends. */
    lock: async (id: number) => (await locking(selectById(id), "update"))[0],
    /** A user's images, the newest first, from before image `before` on. */
    ofUser: (userId: number, { limit, before }: { limit: number; before?: number | undefined }) =>
      statements
        .select(listed)
        .from(media)
        .where(and(eq(media.userId, userId), before === undefined ? undefined : lt(media.id, before)))
        .orderBy(desc(media.id))
        .limit(limit),
    /** As `ofUser`, of all users unless `userId` is set, with their names. */
    latest: ({
      limit,
      before,
      userId,
    }: {
      limit: number;
      before?: number | undefined;
      userId?: number | undefined;
    }) =>
      selectWithOwner(
        and(
          userId === undefined ? undefined : eq(media.userId, userId),
          before === undefined ? undefined : lt(media.id, before),
        ),
      )
        .orderBy(desc(media.id))
        .limit(limit),
    /** A user's image with the user's name; none of the site's own. */
    withOwner: async (id: number) => (await selectWithOwner(eq(media.id, id)))[0],
    /** How many images a user has, and the bytes of all their files. */
    async totalOf(userId: number) {
      const [row] = await statements
        .select({
          images: count(),
          bytes: sql<number>`coalesce(sum(${media.bytes}), 0)`.mapWith(Number),
        })
        .from(media)
        .where(eq(media.userId, userId));
      return row ?? { images: 0, bytes: 0 };
    },
    /** Those of these names that images have. */
    async known(names: readonly string[]) {
      if (names.length === 0) return new Set<string>();
      const rows = await statements
        .select({ name: media.name })
        .from(media)
        .where(inArray(media.name, [...names]));
      return new Set(rows.map(({ name }) => name));
    },
    /** A part of all images, in the order of their ids, after one of them. */
    after: (id: number, limit: number) =>
      statements.select(listed).from(media).where(sql`${media.id} > ${id}`).orderBy(media.id).limit(limit),
    async setAlt(id: number, alt: string) {
      await statements.update(media).set({ alt }).where(eq(media.id, id));
    },
    /**
     * The image with this name that a user has.
     * In a transaction, none removes it until it ends.
     */
    async ownByName(name: string, userId: number) {
      const isOwn = and(eq(media.name, name), eq(media.userId, userId));
      return (await locking(statements.select(listed).from(media).where(isOwn), "key share"))[0];
    },
    /** Removes an image, also as a cover; call it in a transaction. */
    async remove({ id, name }: { id: number; name: string }) {
      const using = statements
        .select({ id: postMedia.postId })
        .from(postMedia)
        .where(eq(postMedia.mediaId, id));
      await statements
        .update(posts)
        .set({ cover: null, coverAlt: null })
        .where(and(inArray(posts.id, using), like(posts.cover, `/media/${name}-%`)));
      await statements.delete(media).where(eq(media.id, id));
    },
    /** Removes an image of the site's own. */
    async removeSiteImage(name: string) {
      await statements.delete(media).where(and(eq(media.name, name), isNull(media.userId)));
    },
    /**
     * The posts that use these images, and are not deleted.
     * Only published ones unless `drafts` is set.
     */
    async usesOf(ids: readonly number[], { drafts }: { drafts: boolean }) {
      if (ids.length === 0) return [];
      return statements
        .select({
          mediaId: postMedia.mediaId,
          slug: posts.slug,
          title: posts.title,
          lang: langColumn(posts),
        })
        .from(postMedia)
        .innerJoin(posts, eq(posts.id, postMedia.postId))
        .where(
          and(
            inArray(postMedia.mediaId, [...ids]),
            isNull(posts.deletedAt),
            drafts ? undefined : isNotNull(posts.publishedAt),
          ),
        )
        .orderBy(postMedia.mediaId, postMedia.postId);
    },
    /**
     * Notes the images of a post: those of these names that its author has.
     * Another author's are left out: no other user keeps an author from removing an image.
     */
    async saveUses(postId: number, names: readonly string[]) {
      // Locked: one that is being removed is not noted.
      const own = locking(
        statements
          .select({ id: media.id })
          .from(media)
          .innerJoin(posts, and(eq(posts.authorId, media.userId), eq(posts.id, postId)))
          .where(inArray(media.name, [...names])),
        "key share",
      );
      const ids = names.length === 0 ? [] : (await own).map(({ id }) => id);
      await statements
        .delete(postMedia)
        .where(
          and(eq(postMedia.postId, postId), ids.length > 0 ? notInArray(postMedia.mediaId, ids) : undefined),
        );
      if (ids.length === 0) return;
      const uses = ids.map((mediaId) => ({ postId, mediaId }));
      await statements.insert(postMedia).values(uses).onConflictDoNothing();
    },
  };
}
