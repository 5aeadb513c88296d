/** PostgreSQL's tables, for Drizzle's tool and the queries, with the search index. */
import { bigint, customType, index, pgTable, text } from "drizzle-orm/pg-core";
import { defineTables } from "../../schema/index.ts";
import { postgresColumns } from "./columns.ts";

export const tables = defineTables(postgresColumns);

// The tool reads the tables from the exports.
export const {
  users,
  media,
  mediaFolder,
  posts,
  postContents,
  formerSlugs,
  tags,
  postTags,
  postRevisions,
  ratings,
  bookmarks,
  waitingRatings,
  formerRaters,
  ratingDays,
  floodWindows,
  windowDecisions,
  reviewRequests,
  attempts,
  shadowDecisions,
  attemptCounts,
  shadowCounts,
  apiTokens,
  sessions,
  totpSecrets,
  recoveryCodes,
  invitations,
  limiterStates,
  nodes,
  passkeys,
  limitCounts,
  mails,
  mailLinks,
  floodSubscriptions,
  mailedFloods,
  postMedia,
  decisionSubscriptions,
  deciderSubscriptions,
  subscribers,
  announcedPosts,
  pendingRegistrations,
  emailChanges,
  webhooks,
  webhookDeliveries,
  replayClaims,
  trustedTime,
  removals,
  siteSettings,
  disabledRatings,
  accountChanges,
  accountChangeUsers,
} = tables;

const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });

/** The words by which search finds posts; `search.ts` describes the columns. */
export const postsSearch = pgTable(
  "posts_search",
  {
    postId: bigint("post_id", { mode: "number" })
      .primaryKey()
      .references(() => posts.id, { onDelete: "cascade" }),
    words: tsvector().notNull(),
    spelled: text().notNull(),
  },
  (search) => [index("posts_search_by_words").using("gin", search.words)],
);
