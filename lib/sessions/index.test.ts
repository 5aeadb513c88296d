import { expect, test } from "vitest";
import { accounts, address, password, userOf } from "../../testing/accounts.ts";
import { morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { dayMs, minuteMs } from "../time/units.ts";
import { logIn } from "../users/index.ts";
import { resetPassword } from "../users/manage.ts";
import {
  endOneSession,
  endOtherSessions,
  endSessionOf,
  sessionOf,
  sessionsMaximum,
  sessionsOf,
} from "./index.ts";

/** A user who has logged in on several devices. */
async function setting(devices: string[]) {
  const { context, join } = accounts();
  const { user, sessionToken } = await join("alder");
  await endSessionOf(context, sessionToken);
  const start = async (device: string, now = morning) => {
    const input = { username: "alder", password };
    const outcome = await logIn(context, { input, address, now, device });
    return outcome.kind === "logged-in" ? outcome.sessionToken : expect.fail(outcome.kind);
  };
  const tokens: string[] = [];
  for (const [index, device] of devices.entries()) tokens.push(await start(device, morning + index));
  const session = async (token = "") =>
    (await sessionOf(context, token, morning + 9)) ?? expect.fail("ended");
  const devicesOf = async (token = "") =>
    (await sessionsOf(context, await session(token), morning + 9)).map(({ device, isCurrent }) =>
      isCurrent ? `${device}, current` : device,
    );
  const databaseText = () => JSON.stringify(context.database.sqlite.prepare("select * from sessions").all());
  return { context, user, start, tokens, session, devicesOf, databaseText };
}

test("a token that was copied before the log-out has no session afterwards", async () => {
  const { context, user, tokens } = await setting(["Firefox on Linux", "curl"]);
  const [copied = "", other = ""] = tokens;
  expect(await userOf(context, copied)).toEqual(user);
  await endSessionOf(context, copied);
  expect(await userOf(context, copied)).toBeNull();
  expect(await userOf(context, other)).toEqual(user);
});

test("lists sessions with device and last use, and ends one or all others", async () => {
  const { context, tokens, session, devicesOf, databaseText } = await setting(["Firefox", "curl", "Safari"]);
  const [firefox = "", curl = "", safari = ""] = tokens;
  expect(await devicesOf(firefox)).toEqual(["Safari", "curl", "Firefox, current"]);
  for (const token of tokens) expect(databaseText()).not.toContain(token);
  await endOneSession(context, await session(firefox), (await session(curl)).id);
  expect(await userOf(context, curl)).toBeNull();
  expect(await devicesOf(safari)).toEqual(["Safari, current", "Firefox"]);
  await endOtherSessions(context, await session(safari));
  expect(await devicesOf(safari)).toEqual(["Safari, current"]);
});

test("a session ends 30 days after its last use, and 90 days after the log-in however often it is used", async () => {
  const { context, user, start } = await setting([]);
  const [idle, used] = [await start("idle"), await start("used")];
  expect(await userOf(context, idle, morning + 30 * dayMs - 1)).toEqual(user);
  expect(await userOf(context, idle, morning + 30 * dayMs - 1 + 30 * dayMs)).toBeNull();
  for (let day = 0; day < 90; day += 29)
    expect(await userOf(context, used, morning + day * dayMs)).toEqual(user);
  expect(await userOf(context, used, morning + 90 * dayMs - 1)).toEqual(user);
  expect(await userOf(context, used, morning + 90 * dayMs)).toBeNull();
});

test("a session that began or was used on a clock more than an hour ahead has expired", async () => {
  const { context, start, user } = await setting([]);
  const hourMs = 60 * minuteMs;
  const [begun, used] = [await start("begun"), await start("used")];
  const set = (column: string, device: string, at: number) =>
    context.database.sqlite.prepare(`update sessions set ${column} = ? where device = ?`).run(at, device);
  for (const [column, device, token] of [
    ["created_at", "begun", begun],
    ["last_used_at", "used", used],
  ] as const) {
    set(column, device, morning + hourMs);
    expect(await userOf(context, token)).toEqual(user);
    set(column, device, morning + hourMs + 1);
    expect(await userOf(context, token)).toBeNull();
  }
});

test("a page view writes nothing within five minutes of the last one", async () => {
  const { context, tokens, databaseText } = await setting(["Firefox"]);
  const before = databaseText();
  for (let minute = 0; minute < 5; minute += 1)
    await userOf(context, tokens[0] ?? "", morning + minute * minuteMs);
  expect(databaseText()).toBe(before);
  await userOf(context, tokens[0] ?? "", morning + 5 * minuteMs);
  expect(databaseText()).toBe(
    before.replace(`"last_used_at":${morning}`, `"last_used_at":${morning + 5 * minuteMs}`),
  );
});

test("a session is valid while its last use cannot be saved", async () => {
  const { context, user, tokens } = await setting(["Firefox"]);
  context.database.sqlite.pragma("query_only = on");
  expect(await userOf(context, tokens[0] ?? "", morning + dayMs)).toEqual(user);
});

test("a page view does not wait for another process's lock to save its session's last use", async () => {
  const { context, user, tokens } = await setting(["Firefox"]);
  const url = `file:${context.database.sqlite.name}`;
  // As long as a test may take: one that waits for the lock fails.
  const database = temporaryDatabase(url, { lockTimeoutMs: 600_000 });
  context.database.sqlite.exec("begin immediate");
  expect(await userOf({ ...context, database }, tokens[0] ?? "", morning + dayMs)).toEqual(user);
  context.database.sqlite.exec("rollback");
  expect(await userOf({ ...context, database }, tokens[0] ?? "", morning + dayMs)).toEqual(user);
});

test("a log-in whose password was changed while it was checked starts no session", async () => {
  const { context, start } = await setting([]);
  const logIn = start("late").catch(() => "refused");
  // The log-in checks the old password, and this changes it meanwhile.
  await resetPassword(context, {
    username: "alder",
    input: { newPassword: "another quiet river" },
    now: morning,
  });
  const token = await logIn;
  expect(token === "refused" || (await userOf(context, token)) === null).toBe(true);
});

test("ends the least recently used session beyond a hundred", async () => {
  const { context, start } = await setting([]);
  const { database } = context;
  const first = await start("first");
  const { id: userId } = (await userOf(context, first)) ?? expect.fail("ended");
  for (let count = 1; count < sessionsMaximum; count += 1)
    await database.sessions.insert(
      { userId, tokenHash: `${count}`, device: "a script", createdAt: morning, lastUsedAt: morning + count },
      sessionsMaximum,
    );
  expect(await userOf(context, first)).not.toBeNull();
  const last = await start("last", morning + 1_000);
  expect([await userOf(context, first), await userOf(context, last)]).toEqual([null, expect.anything()]);
});
