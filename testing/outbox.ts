import type { temporaryDatabase } from "./database.ts";

type SqliteDatabase = Pick<ReturnType<typeof temporaryDatabase>, "sqlite">;

/** Lets mails wait for another address until this many wait. */
export function fillOutbox({ sqlite }: SqliteDatabase, count: number): void {
  sqlite.exec(`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into mails (message_id, kind, address, address_key, locale, data, created_at, expires_at, due_at)
    select 'filler ' || n, 'flood', 'b@example.org', 'b@example.org', 'en', '{}', 1, 2, 3 from numbers`);
}

/** Removes the mails of `fillOutbox`. */
export function emptyOutbox({ sqlite }: SqliteDatabase): void {
  sqlite.exec("delete from mails where message_id like 'filler %'");
}
