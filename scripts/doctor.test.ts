import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { databaseFile } from "../db/index.ts";
import { inspect } from "../db/inspect.ts";
import { encrypt } from "../lib/auth/encryption.ts";
import { derivedKey } from "../lib/auth/token.ts";
import { dayMs } from "../lib/time/units.ts";
import { changeByHand, newBlogUrl } from "../testing/blog.ts";
import { jsonOf, runCommand, runCommandHere } from "../testing/command.ts";
import { startSmtpServer } from "../testing/smtp-server.ts";
import { startRedis } from "./cluster/start-redis.ts";

/** The command's report on each part, with the number of faults and warnings. */
async function examine(env: Record<string, string>) {
  const ended = await runCommand("doctor", ["--json"], { env });
  const { ok, faults, warnings, checks } = jsonOf(ended);
  expect(ended.code).toBe(ok === true ? 0 : 1);
  if (!Array.isArray(checks)) throw new Error("There are no checks.");
  const found = new Map<string, string>(checks.map(({ name, status, says }) => [name, `${status}: ${says}`]));
  return { faults, warnings, found };
}

test("a blog in good order has no faults, whether read as JSON or as lines", async () => {
  const url = await newBlogUrl();
  const { faults, warnings, found } = await examine({ DATABASE_URL: url });
  expect([faults, warnings]).toEqual([0, 0]);
  expect([...found.keys()]).toEqual([
    "settings",
    "node",
    "packages",
    "database",
    "migrations",
    "journal_mode",
    "synchronous",
    "foreign_keys",
    "integrity",
    "references",
    "counters",
    "times",
    "texts",
    "scores",
    "old limiter states",
    "old attempts",
    "old mails",
    "old unconfirmed addresses",
    "site settings",
    "scheduled posts",
    "mails",
    "subscriptions",
    "webhooks",
    "images",
    "disk",
    "mail",
  ]);
  const { output, code } = await runCommand("doctor", [], { env: { DATABASE_URL: url } });
  expect(code).toBe(0);
  expect(output).toMatch(/^ok {7}settings: All are good\.\n.*\nFaults: 0\. Warnings: 0\.\n$/s);
});

test("names all bad settings", async () => {
  const { faults, found } = await examine({ PORT: "http", LOG_LEVEL: "loud" });
  expect(faults).toBe(1);
  expect(found.get("settings")).toMatch(/^fault: PORT: .*; LOG_LEVEL: /);
  expect((await examine({ LIMITS: '{"rating.pots": {"mode": "off"}}' })).found.get("settings")).toContain(
    "LIMITS",
  );
});

test("checks Redis where it is used, and never prints its password", async () => {
  const redis = await startRedis({ password: "hush" });
  const DATABASE_URL = await newBlogUrl();
  try {
    const env = { DATABASE_URL, LIMITER_STORE: "redis" };
    const REDIS_URL = redis.url.replace("//", "//:hush@");
    expect((await examine({ ...env, REDIS_URL })).found.get("redis")).toBe("ok: It answers.");
    const wrong = await runCommand("doctor", [], {
      env: { ...env, REDIS_URL: redis.url.replace("//", "//:silence@") },
    });
    expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining("FAULT    redis: ")]);
    expect(wrong.output + wrong.errors).not.toMatch(/silence|hush/);
    redis.pause();
    expect((await examine({ ...env, REDIS_URL })).found.get("redis")).toContain(
      "fault: It cannot be reached",
    );
  } finally {
    await redis.stop();
  }
});

test("checks the mail server where one is set, and never prints its password", async () => {
  const server = await startSmtpServer({ credentials: { user: "weir", password: "hush hush" } });
  try {
    const DATABASE_URL = await newBlogUrl();
    const env = { DATABASE_URL, MAIL_FROM: "blog@example.org", SITE_URL: "https://blog.example.org" };
    expect((await examine({ ...env, MAIL_URL: server.url })).found.get("mail")).toBe(
      "ok: The server takes mail.",
    );
    const withoutSite = await examine({ ...env, SITE_URL: "", MAIL_URL: server.url });
    expect(withoutSite.found.get("mail")).toMatch(/^warning: .* Set SITE_URL/);
    const wrong = await runCommand("doctor", [], {
      env: { ...env, MAIL_URL: server.url.replace("hush", "silence") },
    });
    expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining("FAULT    mail: ")]);
    expect(wrong.output + wrong.errors).not.toMatch(/silence|hush/);
  } finally {
    await server.stop();
  }
});

test("checks a mail server saved on the page, and reports one that was saved with another AUTH_SECRET", async () => {
  const server = await startSmtpServer({ credentials: { user: "weir", password: "hush hush" } });
  try {
    const DATABASE_URL = await newBlogUrl();
    const AUTH_SECRET = "the secret that the server was saved with";
    const env = { DATABASE_URL, AUTH_SECRET, SITE_URL: "https://blog.example.org" };
    const saved = encrypt(server.url, derivedKey(AUTH_SECRET, "mail server"));
    await changeByHand(
      DATABASE_URL,
      `insert into site_settings values ('MAIL_URL', '${saved}'), ('MAIL_FROM', 'blog@example.org')`,
    );
    expect((await examine(env)).found.get("mail")).toBe("ok: The server takes mail.");
    const other = await examine({ ...env, AUTH_SECRET: "another secret, as after a move without it" });
    expect(other.found.get("mail")).toMatch(/^fault: No mail is sent.*AUTH_SECRET has changed/);
    const without = await examine({ ...env, AUTH_SECRET: "" });
    expect(without.found.get("mail")).toMatch(/^fault: No mail is sent/);
    expect(existsSync(join(dirname(databaseFile(DATABASE_URL)), "auth-secret"))).toBe(false);
  } finally {
    await server.stop();
  }
});

const today = () => new Date().toISOString().slice(0, 10);

/** How many rows SQLite finds. */
async function countOf(url: string, rows: string): Promise<number> {
  const inspection = await inspect(url);
  const [row] = await inspection.query(`select count(*) from ${rows}`).finally(() => inspection.close());
  return Number(row?.[0]);
}

test("--repair --today corrects counters and times in the future, reports each repair, and checks again", async () => {
  const url = await newBlogUrl();
  const trustedAt = Date.now() + 365 * dayMs;
  await changeByHand(
    url,
    `update posts set count_2 = 1 where id = 1; update users set created_at = ${Date.now() + dayMs} where id = 1; insert into trusted_time (id, at) values (1, ${trustedAt})`,
  );
  const repaired = await runCommand("doctor", ["--repair", "--today", today()], {
    env: { DATABASE_URL: url },
  });
  const { output } = repaired;
  expect(repaired).toMatchObject({ code: 0, errors: "" });
  expect(output).toMatch(/^users\.created_at: 1 dated to 2\d{3}-.*\.$/m);
  expect(output).toMatch(/^post 1: .*counters 0,0,1,0,0,0, now 0,0,0,0,0,0; score none, now none\.$/m);
  expect(output).toMatch(/^Posts repaired: 1\.$/m);
  expect(output).toMatch(/\nFaults: 0\. Warnings: 0\.\n$/);
  expect(await countOf(url, `trusted_time where at = ${trustedAt}`)).toBe(1);
  const [, backup = ""] = /^The database as it was is in (.*)\.$/m.exec(output) ?? [];
  expect(await countOf(`file:${backup}`, "posts where count_2 = 1")).toBe(1);
});

test.each([
  ["the date is not given", [], 1, (_: string) => /^attempts\.at: 2, up to 2.*Z, would be removed\.$/m],
  [
    "the clock is years behind the date",
    ["--today", new Date(Date.now() + 5 * 365 * dayMs).toISOString().slice(0, 10)],
    1,
    (date: string) => new RegExp(`It is 2.* by the clock, and --today is ${date}: set the clock right`),
  ],
  ["the date is none", ["--today", "2026-02-30"], 2, () => /--today needs a date such as/],
])("--repair changes nothing where %s", async (_, args, exitCode, expected) => {
  const url = await newBlogUrl();
  const later = Date.now() + 5 * 365 * dayMs;
  await changeByHand(
    url,
    `update attempts set at = ${later}; insert into trusted_time (id, at) values (1, ${later})`,
  );
  const { output, errors, code } = await runCommand("doctor", ["--repair", ...args], {
    env: { DATABASE_URL: url },
  });
  expect(output + errors).toMatch(expected(args[1] ?? ""));
  expect(code).toBe(exitCode);
  expect(await countOf(url, `attempts where at = ${later}`)).toBe(2);
  expect(await countOf(url, `trusted_time where at = ${later}`)).toBe(1);
});

test("--repair changes nothing when another fault has to be fixed first", async () => {
  const url = await newBlogUrl();
  await changeByHand(
    url,
    "delete from __drizzle_migrations where id = (select max(id) from __drizzle_migrations)",
  );
  const { code, errors } = await runCommand("doctor", ["--repair", "--today", today()], {
    env: { DATABASE_URL: url },
  });
  expect([code, errors]).toEqual([1, expect.stringContaining("Nothing was repaired; fix this first")]);
});

test("a fault makes the exit code 1, and any argument is wrong usage", async () => {
  const url = await newBlogUrl();
  await changeByHand(url, "update posts set count_2 = 1");
  expect((await examine({ DATABASE_URL: url })).faults).toBe(1);
  const { code, errors } = await runCommandHere("doctor", ["now"]);
  expect([code, errors]).toEqual([2, expect.stringContaining("now is too much.")]);
});
