/** Every row of a blog, for a comparison of two. */
import { copiedTables } from "../../db/copy/tables.ts";
import type { Run } from "./blog.ts";

/**
 * Tables whose rows the database numbers.
 * Several writers draw the numbers in any order, and lose some.
 */
const numbered = new Set(["attempts", "window_decisions", "account_changes", "review_requests", "removals"]);
/**
 * Columns that depend on the order of transactions without a common lock.
 * The count includes ratings of posts that are being removed, as far as they are left.
 */
const unlocked = new Set(["account_changes.ratings"]);

/**
 * The rows by table, each as text, sorted.
 * An account change is its time and reason instead of its number.
 */
export async function allRows(run: Run): Promise<Record<string, string[]>> {
  const changes = await run("select id, kind, at, why from account_changes");
  const changeNames = new Map(changes.map(([id, ...change]) => [String(id), JSON.stringify(change)]));
  const tables: Record<string, string[]> = {};
  for (const { name, columns } of copiedTables) {
    const compared = columns
      .map((column) => column.name)
      .filter((column) => !(numbered.has(name) && column === "id") && !unlocked.has(`${name}.${column}`));
    const rows = await run(`select ${compared.map((column) => `"${column}"`).join(", ")} from "${name}"`);
    tables[name] = rows
      .map((row) =>
        compared
          .map((column, place) => {
            const value = row[place];
            const written = column === "change_id" && value !== null ? changeNames.get(String(value)) : value;
            return `${column} ${typeof written === "string" ? written : JSON.stringify(written)}`;
          })
          .join(" | "),
      )
      .toSorted();
  }
  return tables;
}

/** The rows that only one of two blogs has, a line each. */
export function differences(one: Record<string, string[]>, other: Record<string, string[]>): string[] {
  return Object.keys(one).flatMap((table) => {
    const [left, right] = [one[table] ?? [], other[table] ?? []];
    return [
      ...without(left, right).map((row) => `- ${table}: ${row}`),
      ...without(right, left).map((row) => `+ ${table}: ${row}`),
    ];
  });
}

/** The rows of `left` beyond those of `right`, with repetitions. */
function without(left: readonly string[], right: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const row of right) counts.set(row, (counts.get(row) ?? 0) + 1);
  return left.filter((row) => {
    const count = counts.get(row) ?? 0;
    counts.set(row, count - 1);
    return count <= 0;
  });
}
