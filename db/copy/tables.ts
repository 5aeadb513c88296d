/**
 * The tables of a blog, in the order in which they are copied.
 * Referenced tables come first. Left out: the state of running servers, and tables that the database derives by itself.
 */
import { getTableColumns } from "drizzle-orm";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import {
  accountChanges,
  accountChangeUsers,
  announcedPosts,
  apiTokens,
  attemptCounts,
  attempts,
  bookmarks,
  deciderSubscriptions,
  decisionSubscriptions,
  disabledRatings,
  emailChanges,
  floodSubscriptions,
  floodWindows,
  formerRaters,
  formerSlugs,
  invitations,
  limitCounts,
  limiterStates,
  mailedFloods,
  mailLinks,
  mails,
  media,
  passkeys,
  pendingRegistrations,
  postContents,
  postMedia,
  postRevisions,
  posts,
  postTags,
  ratingDays,
  ratings,
  recoveryCodes,
  removals,
  reviewRequests,
  sessions,
  shadowCounts,
  shadowDecisions,
  siteSettings,
  subscribers,
  tags,
  totpSecrets,
  users,
  waitingRatings,
  webhookDeliveries,
  webhooks,
  windowDecisions,
} from "../dialects/sqlite/schema.ts";

export type Cell = string | number | boolean | null;
/** The columns of a row, in the order of `columns`. */
export type CopiedRow = readonly Cell[];

export interface CopiedTable {
  name: string;
  columns: readonly { name: string; isBoolean: boolean }[];
  /**
   * The columns of the primary key, as places in `columns`.
   * Rows are copied in its order.
   */
  key: readonly number[];
  /** Whether the database numbers the rows itself, in a column `id`. */
  isNumbered: boolean;
}

/**
 * The one with the posts' texts.
 * A copy that writes its rows fills the search index too.
 */
export const contentsTable = describe(postContents);

export const copiedTables: readonly CopiedTable[] = [
  describe(users),
  describe(media),
  describe(posts),
  contentsTable,
  describe(formerSlugs),
  describe(tags),
  describe(postTags),
  describe(postRevisions),
  describe(ratings),
  describe(bookmarks),
  describe(waitingRatings),
  describe(formerRaters),
  describe(ratingDays),
  describe(floodWindows),
  describe(windowDecisions),
  describe(reviewRequests),
  describe(attempts),
  describe(shadowDecisions),
  describe(attemptCounts),
  describe(shadowCounts),
  describe(limiterStates),
  describe(apiTokens),
  describe(sessions),
  describe(totpSecrets),
  describe(recoveryCodes),
  describe(passkeys),
  describe(invitations),
  describe(limitCounts),
  describe(mails),
  describe(mailLinks),
  describe(floodSubscriptions),
  describe(mailedFloods),
  describe(postMedia),
  describe(decisionSubscriptions),
  describe(deciderSubscriptions),
  describe(subscribers),
  describe(announcedPosts),
  describe(pendingRegistrations),
  describe(emailChanges),
  describe(webhooks),
  describe(webhookDeliveries),
  describe(removals),
  describe(siteSettings),
  describe(disabledRatings),
  describe(accountChanges),
  describe(accountChangeUsers),
];

function describe(table: SQLiteTable): CopiedTable {
  const columns = Object.values(getTableColumns(table)).filter(({ generated }) => !generated);
  const { name, primaryKeys } = getTableConfig(table);
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
  return {
    name,
    columns: columns.map((column) => ({ name: column.name, isBoolean: column.dataType === "boolean" })),
    key: key.map((column) => columns.findIndex(({ name }) => name === column.name)),
    isNumbered: key.length === 1 && key[0]?.name === "id",
  };
}

export function keyOf({ key }: CopiedTable, row: CopiedRow): CopiedRow {
  return key.map((place) => row[place] ?? null);
}

/** The names of columns as both databases read them, by comma. */
export function columnList({ columns }: CopiedTable, places = columns.map((_, place) => place)): string {
  return places.map((place) => `"${columns[place]?.name}"`).join(", ");
}

/**
 * Selects the rows in the order of the key.
 * With `after`, which writes the placeholders, it selects the rows after one.
 */
export function selectText(table: CopiedTable, limit: string, after?: (index: number) => string): string {
  const key = columnList(table, [...table.key]);
  const where = after ? ` where (${key}) > (${table.key.map((_, index) => after(index)).join(", ")})` : "";
  return `select ${columnList(table)} from "${table.name}"${where} order by ${key} limit ${limit}`;
}
