/** Which records the privacy page lists, on both databases. */
import { describe, expect, test } from "vitest";
import { parseSettings } from "../../lib/settings/env.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addUser, morning } from "../../testing/content.ts";
import { keptRecords, recordKinds } from "./records.ts";

const settings = parseSettings({});
const pending = "while your account waits for approval";
const messages = "Messages to other programs";

describe.each(newDatabases)("the privacy page on %s", (_, open) => {
  const listed = async (
    database: Awaited<ReturnType<typeof open>>,
    registration: "open" | "approval" = "open",
  ) =>
    keptRecords(settings, await recordKinds(database, { sendsMail: false, registration }))
      .map(({ what }) => what)
      .join("\n");

  test("has the networks of accounts that wait, also when new ones no longer do", async () => {
    const database = await open();
    expect(await listed(database)).not.toContain(pending);
    expect(await listed(database, "approval")).toContain(pending);
    await addUser(database, "alder", { pendingSince: morning, pendingNetwork: "00000000000000aa" });
    expect(await listed(database)).toContain(pending);
  });

  test("has the messages to other programs while a webhook is on", async () => {
    const database = await open();
    expect(await listed(database)).not.toContain(messages);
    const id = await database.webhooks.insert({
      url: "https://example.org/",
      events: "post.published",
      encryptedSecret: "x",
      createdAt: morning,
    });
    expect(await listed(database)).toContain(messages);
    await database.webhooks.update(id, { disabledAt: morning });
    expect(await listed(database)).not.toContain(messages);
  });
});
