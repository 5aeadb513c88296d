import { describe, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../db/index.ts";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { runChild } from "../../testing/child-process.ts";
import { addUser, morning } from "../../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl } from "../../testing/database.ts";
import { mailSettings as settings } from "../../testing/mail-settings.ts";
import { clientOf, startSmtpServer } from "../../testing/smtp-server.ts";
import { mailLimits } from "./kinds.ts";
import { queueMail } from "./outbox.ts";
import { claimMs, pausesMs, type SendResult, sendDueMails, startSending } from "./sender.ts";
import type { MailServer } from "./smtp.ts";

async function smtp(...behaviour: Parameters<typeof startSmtpServer>) {
  const server = await startSmtpServer(...behaviour);
  onTestFinished(() => server.stop());
  return server;
}

/** Queues notices for a new user, and returns their sender. */
async function outbox(database: Database) {
  const { id, username } = await addUser(database, "alder");
  const email = "alder@example.org";
  let now = morning;
  const results: SendResult[] = [];
  return {
    id,
    results,
    at: (time: number) => {
      now = time;
    },
    queue: (more: { username?: string; locale?: "en" | "fa"; email?: string } = {}) =>
      database.transaction(() =>
        queueMail(database, {
          kind: "password-changed",
          to: { id, email: more.email ?? email, emailKey: more.email ?? email },
          data: { username: more.username ?? username, by: "owner" },
          locale: more.locale ?? "en",
          now,
        }),
      ),
    context: (server: MailServer) => ({
      database,
      server,
      mail: settings,
      clock: () => now,
      onAttempt: (result: SendResult) => void results.push(result),
    }),
    row: async () => (await database.mails.all())[0],
  };
}

describe.each(newDatabases)("the outbox on %s", (_, open) => {
  test("sends a queued mail once, as text and HTML, with a stable Message-ID", async () => {
    const database = await open();
    const { queue, context, row, results } = await outbox(database);
    const server = await smtp();
    expect(await queue()).toBe("queued");
    const queued = await row();
    await sendDueMails(context(server.client));
    await sendDueMails(context(server.client));
    expect(server.mails).toHaveLength(1);
    expect(server.mails[0]).toMatchObject({
      subject: "The Weir: your password was changed",
      messageId: `<${queued?.messageId}@weir.example>`,
      recipients: ["alder@example.org"],
      from: { value: [{ name: "The Weir", address: "blog@weir.example" }] },
      to: { value: [{ name: "", address: "alder@example.org" }] },
      date: new Date(morning),
      text: expect.stringContaining("Hello \u2068alder\u2069,"),
      html: expect.stringContaining('<html lang="en" dir="ltr">'),
    });
    expect(server.mails[0]?.headers.get("auto-submitted")).toBe("auto-generated");
    expect(await row()).toMatchObject({ dueAt: null, finishedAt: morning, fault: null, data: "{}" });
    expect(results).toEqual(["sent"]);
  });

  test("queues nothing when the transaction that causes the mail fails", async () => {
    const database = await open();
    const { queue } = await outbox(database);
    const failing = database.transaction(async () => {
      await queue();
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await database.mails.waiting(10)).toBe(0);
  });

  test("gives each mail to one of several senders", async () => {
    const database = await open();
    const { queue, context } = await outbox(database);
    const server = await smtp();
    for (let count = 0; count < 8; count += 1) await queue();
    await Promise.all(Array.from({ length: 4 }, () => sendDueMails(context(server.client))));
    const ids = server.mails.map(({ messageId }) => messageId);
    expect([ids.length, new Set(ids).size]).toEqual([8, 8]);
  });

  test("retries with growing pauses, a bounded number of times, with the same Message-ID", async () => {
    const database = await open();
    const { queue, context, at, row, results } = await outbox(database);
    const seen: string[] = [];
    const refusing = await smtp({ refusal: () => "451 Try later, alder@example.org" });
    await queue();
    const id = (await row())?.messageId;
    let now = morning;
    for (const pauseMs of pausesMs) {
      await sendDueMails(context(refusing.client));
      const waiting = await row();
      if (waiting?.dueAt === null) break;
      expect(waiting).toMatchObject({ messageId: id, dueAt: now + pauseMs });
      seen.push(waiting?.fault ?? "");
      now += pauseMs;
      at(now - 1);
      await sendDueMails(context(refusing.client));
      expect((await row())?.attempts).toBe(waiting?.attempts);
      at(now);
    }
    await sendDueMails(context(refusing.client));
    expect(new Set(seen)).toEqual(new Set(["EENVELOPE: 451 Try later, [address]"]));
    expect(await row()).toMatchObject({ dueAt: null, finishedAt: now, fault: seen[0] });
    expect(results).toEqual([...pausesMs.map(() => "failed"), "given-up"]);
    expect(await database.mails.figures()).toMatchObject({ waiting: 0, givenUp: 1, fault: seen[0] });
  });

  test("gives up at once when the server refuses the recipient for good, and sends the others", async () => {
    const database = await open();
    const { queue, context, results } = await outbox(database);
    const refusal = (address: string) => (address.startsWith("gone") ? "550 No such user" : undefined);
    const server = await smtp({ refusal });
    await queue({ email: "gone@example.org" });
    await queue();
    await sendDueMails(context(server.client));
    expect(results).toEqual(["given-up", "sent"]);
    expect(server.mails.map(({ recipients }) => recipients)).toEqual([["alder@example.org"]]);
  });

  test("keeps all mails while the server is out of reach, and sends them when it is back", async () => {
    const database = await open();
    const { queue, context, at, results } = await outbox(database);
    const port = await freePort();
    const client = clientOf(`smtp://127.0.0.1:${port}`);
    await queue();
    await queue();
    await sendDueMails(context(client));
    expect(results).toEqual(["failed"]);
    const server = await smtp({ port });
    at(morning + 60_000);
    await sendDueMails(context(client));
    expect(server.mails).toHaveLength(2);
  });

  test("sends an email again when its sender died after claiming it, and no sooner than the claim ends", async () => {
    const database = await open();
    const { queue, context, at, row } = await outbox(database);
    const server = await smtp();
    await queue();
    await database.transaction(() => database.mails.claim(morning, morning + claimMs));
    at(morning + claimMs - 1);
    await sendDueMails(context(server.client));
    expect(server.mails).toEqual([]);
    at(morning + claimMs);
    await sendDueMails(context(server.client));
    expect(server.mails).toHaveLength(1);
    expect(await row()).toMatchObject({ attempts: 2, fault: null });
  });

  test("sends nothing to an account that was deleted meanwhile", async () => {
    const database = await open();
    const { id, queue, context } = await outbox(database);
    const server = await smtp();
    await queue();
    await database.transaction(() => database.users.markDeleted(id, morning));
    await sendDueMails(context(server.client));
    expect(server.mails).toEqual([]);
    expect(await database.mails.waiting(10)).toBe(0);
  });

  test("sends an address no more of one kind than its limit in a day", async () => {
    const database = await open();
    const { queue, at } = await outbox(database);
    const { perDay } = mailLimits["password-changed"];
    for (let count = 0; count < perDay; count += 1) expect(await queue()).toBe("queued");
    expect(await queue()).toBe("day-full");
    expect(await queue({ email: "birch@example.org" })).toBe("queued");
    at(morning + 86_400_000);
    expect(await queue()).toBe("queued");
  });

  test("drops an email that could not be sent in time", async () => {
    const database = await open();
    const { queue, context, at, results, row } = await outbox(database);
    const server = await smtp();
    await queue();
    at(morning + mailLimits["password-changed"].validMs);
    await sendDueMails(context(server.client));
    expect([server.mails, results]).toEqual([[], ["given-up"]]);
    expect((await row())?.fault).toMatch(/^expired/);
  });

  test("removes waiting mails only after they have expired, as when mail is turned off", async () => {
    const database = await open();
    const { queue } = await outbox(database);
    await queue();
    const expiresAt = morning + mailLimits["password-changed"].validMs;
    expect(await database.mails.removeOld(expiresAt - 1, 10)).toBe(0);
    expect(await database.mails.removeOld(expiresAt, 10)).toBe(1);
    expect(await database.mails.waiting(10)).toBe(0);
  });

  test("removes finished mails after a while, and no waiting ones", async () => {
    const database = await open();
    const { queue, context } = await outbox(database);
    const server = await smtp();
    await queue();
    await sendDueMails(context(server.client));
    await queue();
    expect(await database.mails.removeOld(morning - 1, 10)).toBe(0);
    expect(await database.mails.removeOld(morning, 10)).toBe(1);
    expect(await database.mails.waiting(10)).toBe(1);
  });
});

const [[, sqlite]] = newDatabases as [(typeof newDatabases)[0]];

test("no name or site name can add a header, a recipient or markup", async () => {
  const database = await sqlite();
  const { queue, context } = await outbox(database);
  const server = await smtp();
  const evil = '\r\nBcc: victim@example.org\r\n\r\n<script>alert("1")</script>';
  await queue({ username: evil });
  await sendDueMails({
    ...context(server.client),
    mail: { ...settings, siteName: evil, from: { name: evil, address: "blog@weir.example" } },
  });
  const [mail] = server.mails;
  expect(mail?.recipients).toEqual(["alder@example.org"]);
  expect(mail?.headers.has("bcc")).toBe(false);
  expect(mail?.raw).not.toMatch(/^Bcc:/im);
  expect(mail?.text).not.toMatch(/^Bcc:/im);
  expect(mail?.from?.value).toHaveLength(1);
  expect(mail?.html).not.toContain("<script>");
});

test("sends a mail in the language that it was queued in", async () => {
  const database = await sqlite();
  const { queue, context } = await outbox(database);
  const server = await smtp();
  await queue({ locale: "fa" });
  await sendDueMails(context(server.client));
  expect(server.mails[0]?.text).toContain("سلام");
});

test("loses no mail when its sender is killed while the server takes it", async () => {
  const url = temporaryDatabaseUrl();
  const database = temporaryDatabase(url);
  const { queue, context, at, row } = await outbox(database);
  const arrived = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<void>();
  const server = await smtp({
    beforeAccepting: () => {
      arrived.resolve();
      return killed.promise;
    },
  });
  await queue();
  const child = runChild("testing/mail-child.ts", [url, server.url]);
  await arrived.promise;
  child.kill("SIGKILL");
  await child.ended;
  killed.resolve();
  expect(await row()).toMatchObject({ finishedAt: null, attempts: 1 });
  at(morning + claimMs);
  await sendDueMails(context(server.client));
  await expect.poll(() => server.mails.length).toBe(2);
  const id = `<${(await row())?.messageId}@weir.example>`;
  expect(server.mails.map(({ messageId }) => messageId)).toEqual([id, id]);
});

test("stops after the current mail, and leaves the others in the outbox", async () => {
  const database = await sqlite();
  const { queue, context } = await outbox(database);
  const arrived = Promise.withResolvers<void>();
  const mayAccept = Promise.withResolvers<void>();
  const server = await smtp({
    beforeAccepting: () => {
      arrived.resolve();
      return mayAccept.promise;
    },
  });
  await queue();
  await queue();
  const stop = startSending(
    () => context(server.client),
    (error) => expect.fail(String(error)),
    { everyMs: 1 },
  );
  await arrived.promise;
  const stopped = stop();
  mayAccept.resolve();
  await stopped;
  expect(server.mails).toHaveLength(1);
  expect(await database.mails.waiting(10)).toBe(1);
});

test("sending follows the mail server as it is set up now, and pauses while there is none", async () => {
  const { context, queue } = await outbox(temporaryDatabase());
  const [first, second] = [await smtp(), await smtp()];
  let client: MailServer | null = null;
  const stop = startSending(
    () => client && context(client),
    (error) => expect.fail(String(error)),
    {
      everyMs: 1,
    },
  );
  onTestFinished(stop);
  await queue();
  client = first.client;
  await expect.poll(() => first.mails.length).toBe(1);
  client = second.client;
  await queue();
  await expect.poll(() => second.mails.length).toBe(1);
  expect(first.mails).toHaveLength(1);
});

test("a fault contains neither the password nor an address", async () => {
  const credentials = { user: "weir@mail.example", password: "hush hush" };
  const server = await smtp({ credentials });
  expect(await server.client.check()).toBeUndefined();
  const wrong = clientOf(server.url.replace("hush", "silence"));
  const fault = (await wrong.check()) ?? "";
  expect(fault).toMatch(/^EAUTH: /);
  expect(fault).not.toMatch(/silence|hush|weir@/);
});
