/** Flood windows, the decisions on them, and requests for a review. */
import { sql } from "drizzle-orm";
import type { postgresColumns } from "../dialects/postgres/columns.ts";
import { deciderRoles, windowDeciders, windowStatuses } from "../types.ts";
import { counterColumns, postReference, type Referenced } from "./columns.ts";

export function floodTables(
  dialect: typeof postgresColumns,
  { users, posts }: Record<"users" | "posts", Referenced>,
) {
  const { table, id, integer, bigint, real, text, index, uniqueIndex, primaryKey } = dialect;
  const ofPost = postReference(dialect, posts);
  const sixCounters = counterColumns(dialect);

  /**
   * Spans in which a post was rated unusually fast.
   * The columns are described in lib/ratings/floods/flood-window.ts.
   */
  const floodWindows = table(
    "flood_windows",
    {
      postId: ofPost(),
      number: integer().notNull(),
      openedAt: bigint("opened_at").notNull(),
      lastAt: bigint("last_at").notNull(),
      closedAt: bigint("closed_at"),
      usualGapMs: real("usual_gap_ms").notNull(),
      recentGapMs: real("recent_gap_ms").notNull(),
      ...sixCounters(),
      status: text({ enum: windowStatuses }).notNull(),
      decidedBy: text("decided_by", { enum: windowDeciders }),
      decisions: integer().notNull(),
    },
    (window) => [
      primaryKey({ columns: [window.postId, window.number] }),
      index("flood_windows_by_status").on(window.status, window.lastAt),
    ],
  );

  /** Every decision on a flood window: result, time, person and reason. */
  const windowDecisions = table(
    "window_decisions",
    {
      id: id(),
      postId: ofPost(),
      window: integer().notNull(),
      at: bigint().notNull(),
      status: text({ enum: windowStatuses }).notNull(),
      decidedBy: text("decided_by", { enum: windowDeciders }).notNull(),
      /** The person; null where none decided, or when the account is gone. */
      userId: bigint("user_id").references(() => users.id, { onDelete: "set null" }),
      /** The right that made the person a decider at the time; null where none decided. */
      role: text({ enum: deciderRoles }),
      why: text(),
      /** How many ratings had arrived in the window, also those withdrawn by then. */
      ratings: integer().notNull(),
    },
    (decision) => [
      index("window_decisions_by_post").on(decision.postId, decision.window),
      index("window_decisions_by_user").on(decision.userId),
      index("window_decisions_of_people").on(decision.id).where(sql`decided_by = 'person'`),
    ],
  );

  /** Authors' requests to review a flood window; at most one is open for each window. */
  const reviewRequests = table(
    "review_requests",
    {
      id: id(),
      postId: ofPost(),
      window: integer().notNull(),
      at: bigint().notNull(),
      why: text().notNull(),
      /** When a person decided on the window; null while the request is open. */
      answeredAt: bigint("answered_at"),
    },
    (request) => [
      uniqueIndex("open_review_requests").on(request.postId, request.window).where(sql`answered_at is null`),
      index("open_review_requests_by_time").on(request.at).where(sql`answered_at is null`),
      index("review_requests_by_post").on(request.postId),
    ],
  );

  return { floodWindows, windowDecisions, reviewRequests };
}
