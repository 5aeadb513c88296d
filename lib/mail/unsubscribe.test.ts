import { expect, test } from "vitest";
import { addUser } from "../../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl } from "../../testing/database.ts";
import { mailSettings } from "../../testing/mail-settings.ts";
import { unsubscribe, unsubscribePaths } from "./unsubscribe.ts";

test("a token with a wrong signature waits for no other transaction, and changes nothing", async () => {
  const url = temporaryDatabaseUrl();
  const [database, other] = [temporaryDatabase(url), temporaryDatabase(url)];
  const { id } = await addUser(database, "alder");
  await database.floodSubscriptions.save({ userId: id, addressKey: "", locale: "en", confirmedAt: null });
  const context = { database, linkKey: mailSettings.linkKey };
  const { page } = unsubscribePaths(mailSettings, { list: "floods", id, addressKey: "alder@example.org" });
  const token = new URL(page, "https://weir.example").searchParams.get("token") ?? "";
  const wrong = token.replace(/.{43}$/, "x".repeat(43));
  await other.transaction(async () => {
    await other.users.lock(id);
    await unsubscribe(context, wrong);
  });
  expect(await database.floodSubscriptions.of(id)).toBeDefined();
  await unsubscribe(context, token);
  expect(await database.floodSubscriptions.of(id)).toBeUndefined();
});
