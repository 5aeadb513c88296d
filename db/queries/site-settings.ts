/** The settings that administrators have saved. */
import { inArray, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";

export function siteSettingQueries({ statements, tables: { siteSettings }, lockByName }: Dialect) {
  const all = statements.select().from(siteSettings).prepare("site settings");

  const readAll = async () => new Map((await all.execute()).map(({ name, value }) => [name, value]));

  return {
    /** Their values by name. */
    all: readAll,
    /** As `all`, in a transaction: none of them changes until it ends. */
    async lock(): Promise<Map<string, string>> {
      await lockByName("site settings");
      return readAll();
    },
    /** Saves values, and removes those that are null; call it in a transaction. */
    async save(values: ReadonlyMap<string, string | null>) {
      const kept = [...values].flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
      const removed = [...values.keys()].filter((name) => values.get(name) === null);
      if (removed.length > 0)
        await statements.delete(siteSettings).where(inArray(siteSettings.name, removed));
      if (kept.length === 0) return;
      await statements
        .insert(siteSettings)
        .values(kept)
        .onConflictDoUpdate({ target: siteSettings.name, set: { value: sql`excluded.value` } });
    },
  };
}
