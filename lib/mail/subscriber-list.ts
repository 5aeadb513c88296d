/** The subscribers to new posts, for administrators. */
import type { Database, SubscriberRow } from "../../db/index.ts";
import { pageOf } from "../paging/page-of.ts";
import { pagesOf } from "../paging/rows-of.ts";
import { asActingAdministrator, isActingAdministrator } from "../users/permissions.ts";
import { administrator } from "../users/roles.ts";
import { comparisonKey } from "../users/schema.ts";
import type { DatabaseContext, User } from "../users/types.ts";

const subscribersPerPage = 20;
/** How many subscribers an export reads at a time. */
const exportPage = 1_000;

/** A page of subscribers, the oldest first, with their number. */
export async function listSubscribers(
  { database }: DatabaseContext,
  { actor, search, after }: { actor: User; search?: string | undefined; after?: number | undefined },
): Promise<
  { kind: "listed"; subscribers: SubscriberRow[]; count: number; next: number | null } | { kind: "forbidden" }
> {
  if (!(await isActingAdministrator(database, actor))) return { kind: "forbidden" };
  const text = search && comparisonKey(search);
  const found = await database.subscribers.list(subscribersPerPage + 1, {
    search: text,
    ...(after !== undefined && { after }),
  });
  const { items, nextCursor } = pageOf(found, subscribersPerPage, ({ id }) => id);
  return {
    kind: "listed",
    subscribers: items,
    count: await database.subscribers.count(text),
    next: nextCursor,
  };
}

/** Removes a subscriber, on record. */
export function removeSubscriber(
  { database }: DatabaseContext,
  { actor, id, now }: { actor: User; id: number; now: number },
): Promise<{ kind: "removed" } | { kind: "nothing-there" } | { kind: "forbidden" }> {
  return asActingAdministrator(database, actor, async () => {
    if (!(await database.subscribers.remove({ id }))) return { kind: "nothing-there" };
    const change = { kind: "remove-subscriber", at: now, ...administrator(actor), why: null } as const;
    await database.accountChanges.record(change, []);
    return { kind: "removed" };
  });
}

/** All subscribers as CSV, in parts, on record; only for administrators. */
export async function exportSubscribers(
  { database }: DatabaseContext,
  { actor, now }: { actor: User; now: number },
): Promise<AsyncGenerator<string> | undefined> {
  const outcome = await asActingAdministrator(database, actor, async () => {
    const change = { kind: "export-subscribers", at: now, ...administrator(actor), why: null } as const;
    await database.accountChanges.record(change, []);
    return { kind: "recorded" } as const;
  });
  return outcome.kind === "recorded" ? subscribersCsv(database) : undefined;
}

/** All subscribers as CSV, in parts. */
export async function* subscribersCsv({ subscribers }: Database): AsyncGenerator<string> {
  yield "email,language,since\r\n";
  for await (const page of pagesOf((after, limit) => subscribers.list(limit, { after }), exportPage))
    yield page
      .map(
        ({ email, locale, createdAt }) => `${cell(email)},${locale},${new Date(createdAt).toISOString()}\r\n`,
      )
      .join("");
}

/** A spreadsheet would compute a cell that begins as a formula does. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
