/** Posts and their texts. */
import { sql } from "drizzle-orm";
import type { postgresColumns } from "../dialects/postgres/columns.ts";
import { rankPrior } from "../types.ts";
import { counterColumns, type Referenced } from "./columns.ts";

const publishedByOlderVersion = -1;

export function postTables(dialect: typeof postgresColumns, { users }: Record<"users", Referenced>) {
  const { table, id, integer, bigint, real, boolean, text, key, index, check, expressions } = dialect;
  const sixCounters = counterColumns(dialect);

  const posts = table(
    "posts",
    {
      id: id(),
      slug: key().notNull().unique(),
      title: text().notNull(),
      authorId: bigint("author_id")
        .notNull()
        .references(() => users.id, { onDelete: "cascade" }),
      createdAt: bigint("created_at").notNull(),
      updatedAt: bigint("updated_at").notNull(),
      /**
       * The post's date; null for a draft, which only its author sees.
       * The default is for nodes of older versions: PostgreSQL replaces it with the creation time.
       */
      publishedAt: bigint("published_at").default(publishedByOlderVersion),
      /** When a draft is to be published; null when it is not scheduled. */
      publishAt: bigint("publish_at"),
      /** When a scheduled draft was due and its author might not write; null for others. */
      missedAt: bigint("missed_at"),
      /** Whether readers find the post by its link only: in no list, feed or search. */
      isUnlisted: boolean("is_unlisted").notNull().default(false),
      /** The author's choice of a language (BCP 47); null for the detected one. */
      chosenLang: text("chosen_lang"),
      /**
       * The summary of the text in lists.
       * Made with its HTML and null until then: its language if it was recognised, its beginning without markup, and
       * how long reading it takes.
       */
      detectedLang: text("detected_lang"),
      excerpt: text(),
      readingMinutes: integer("reading_minutes"),
      /** The author's own excerpt, shown in place of the text's beginning; null for none. */
      chosenExcerpt: text("chosen_excerpt"),
      /** The address and description of the cover, one of the author's images. */
      cover: text(),
      coverAlt: text("cover_alt"),
      /** The ratings that count: those in no flood window, or in a counted one. */
      ...sixCounters(),
      /**
       * The settled score as of `settled_at`; null before the first rating.
       * lib/ratings/score/settled-score.ts describes the other columns.
       */
      settledScore: real("settled_score"),
      settledVelocity: real("settled_velocity").notNull().default(0),
      settledAt: bigint("settled_at").notNull().default(0),
      raterCount: integer("rater_count").notNull().default(0),
      firstRatedAt: bigint("first_rated_at").notNull().default(0),
      lastRaterAt: bigint("last_rater_at").notNull().default(0),
      /** How many flood windows there were. */
      windowCount: integer("window_count").notNull().default(0),
      /** The flood detector's state, as JSON; null before its first rating. */
      detector: text(),
      /** When the post is due for an update even without a rating; null for never. */
      dueAt: bigint("due_at"),
      /** Since when the post waits for its ratings to be replayed; null when it does not. */
      replayDueAt: bigint("replay_due_at"),
      /** Since when only author and administrators see the post; null for all readers. */
      unpublishedAt: bigint("unpublished_at"),
      /** Since when the post comes first on the home page; null when it does not. */
      featuredAt: bigint("featured_at"),
      /** When the post was deleted; its rows are removed in the background. */
      deletedAt: bigint("deleted_at"),
      ratingCount: integer("rating_count")
        .notNull()
        .generatedAlwaysAs(sql`count_0 + count_1 + count_2 + count_3 + count_4 + count_5`),
      rankScore: real("rank_score")
        .notNull()
        .generatedAlwaysAs(
          sql.raw(
            `(${(rankPrior.ratings * rankPrior.score).toFixed(1)} + (count_0 + count_1 + count_2 + count_3 + count_4 + count_5) * coalesce(settled_score, 0))` +
              ` / (${rankPrior.ratings} + count_0 + count_1 + count_2 + count_3 + count_4 + count_5)`,
          ),
        ),
    },
    (post) => [
      index("posts_by_author").on(post.authorId, post.id),
      index("posts_by_author_published").on(post.authorId, post.publishedAt, post.id),
      index("posts_by_published").on(post.publishedAt, post.id),
      index("posts_by_publish_at").on(post.publishAt).where(sql`publish_at is not null`),
      index("posts_by_rank").on(post.rankScore, post.id),
      index("posts_by_rating_count").on(post.ratingCount, post.id),
      index("posts_by_due").on(post.dueAt).where(sql`due_at is not null`),
      index("posts_by_replay_due").on(post.replayDueAt).where(sql`replay_due_at is not null`),
      index("posts_unpublished").on(post.id).where(sql`unpublished_at is not null`),
      index("posts_featured").on(post.featuredAt).where(sql`featured_at is not null`),
      check("counts_not_negative", expressions.countsNotNegative),
    ],
  );

  /**
   * The texts of posts.
   * They are not in `posts`, so that changing a counter does not rewrite a long text and listing does not read one.
   */
  const postContents = table(
    "post_contents",
    {
      postId: bigint("post_id")
        .primaryKey()
        .references(() => posts.id, { onDelete: "cascade" }),
      content: text().notNull(),
      /**
       * The content rendered and sanitised (lib/markdown).
       * Null when it could not be rendered, or has not been yet.
       */
      html: text(),
      /** The renderer version that made `html`, or failed to; 0 when none has tried. */
      renderer: integer().notNull().default(0),
      /**
       * When `html` was made.
       * A trigger clears `html` when a content changes and this does not: a node of an older version wrote it.
       */
      renderedAt: bigint("rendered_at"),
    },
    (content) => [index("post_contents_by_renderer").on(content.renderer, content.postId)],
  );

  return { posts, postContents };
}
