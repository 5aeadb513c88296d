/** The settings that administrators have saved. */
import { inArray, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";

export function siteSettingQueries({ statements, tables: { siteSettings } }: Dialect) {
  const all = statements.select().from(siteSettings).prepare("site settings");

  return {
    /** Their values by name. */
    async all(): Promise<Map<string, string>> {
      return new Map((await all.execute()).map(({ name, value }) => [name, value]));
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
