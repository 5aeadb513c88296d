/**
 * Reports committed changes of the content that visitors see.
 *
 * Ratings are left out: they change a score, which a page may show a second late, and a flood of them must not end a
 * page's copies again and again.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "./database.ts";

/** The queries whose changes visitors see at once. */
export const changing = {
  posts: [
    "insert",
    "update",
    "publish",
    "setPublishedAt",
    "setSlug",
    "setOptions",
    "saveHtml",
    "markDeleted",
    "markDeletedOf",
    "setUnpublishedAt",
    "setFeaturedAt",
  ],
  tags: ["setOf"],
  media: ["remove"],
  users: ["insert", "approve", "setDisabledAt", "setAllDisabledAt", "markDeleted"],
  floodWindows: ["recordDecision"],
} as const satisfies { [Part in keyof Database]?: readonly (keyof Database[Part])[] };

interface ReportedTransaction {
  hasChanges: boolean;
  isOver: boolean;
}

/**
 * The same database, which calls `report` after each change that readers can see.
 * That is after the commit, and also after a failure, because a commit may have failed only in its answer.
 */
export function reportPageChanges<Reported extends Database>(
  database: Reported,
  report: () => void,
): Reported {
  const current = new AsyncLocalStorage<ReportedTransaction>();
  const transactionAround = () => {
    const transaction = current.getStore();
    return transaction?.isOver === false ? transaction : undefined;
  };

  async function change(work: () => unknown): Promise<unknown> {
    const transaction = transactionAround();
    if (transaction) transaction.hasChanges = true;
    try {
      return await work();
    } finally {
      if (!transaction) report();
    }
  }

  async function inTransaction<T>(
    run: (work: () => Promise<T>) => Promise<T>,
    work: () => Promise<T>,
  ): Promise<T> {
    if (transactionAround()) return run(work);
    const transaction = { hasChanges: false, isOver: false };
    try {
      return await run(() => current.run(transaction, work));
    } finally {
      transaction.isOver = true;
      if (transaction.hasChanges) report();
    }
  }

  function reporting<Queries extends object>(queries: Queries, names: readonly (keyof Queries)[]): Queries {
    const changed = names.map((name) => {
      const query = queries[name];
      if (typeof query !== "function") throw new Error(`${String(name)} is not a query`);
      return [name, (...values: unknown[]) => change(() => Reflect.apply(query, queries, values))];
    });
    return { ...queries, ...Object.fromEntries(changed) };
  }

  return {
    ...database,
    posts: reporting(database.posts, changing.posts),
    tags: reporting(database.tags, changing.tags),
    media: reporting(database.media, changing.media),
    users: reporting(database.users, changing.users),
    floodWindows: reporting(database.floodWindows, changing.floodWindows),
    transaction: (work, options) => inTransaction((inner) => database.transaction(inner, options), work),
    transactionNow: (work) => inTransaction(database.transactionNow, work),
  };
}
