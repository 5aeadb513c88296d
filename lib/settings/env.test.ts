import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { algorithmNames } from "../limiter/index.ts";
import { mailServerName, siteSettingNames } from "../site/schema.ts";
import { parseSettings, type Settings, SettingsError, settingNames } from "./env.ts";

/**
 * Settings that can be compared.
 * The access rules, which are a function, are replaced by their decisions on various people.
 */
function comparable({ ACCESS_RULES, ...others }: Settings) {
  const addresses = ["192.0.2.1", "2001:db8:0:1::/64", "unknown"];
  const people = addresses.flatMap((address) => [{ address }, { address, username: "mallory" }]);
  return { ...others, ACCESS_RULES: people.map((who) => ACCESS_RULES(who) ?? "as it is") };
}

test("without an environment every setting has its default", () => {
  expect(comparable(parseSettings({}))).toMatchObject({
    NODE_ENV: "development",
    NODES: 1,
    PORT: 3000,
    POSTGRES_POOL_SIZE: 10,
    DATABASE_URL: "file:./data/weir.db",
    RATING_LIMITER: "leaky-bucket",
    LEAKY_BUCKET_CAPACITY: 20,
    LEAKY_BUCKET_LEAK_PER_SECOND: 10,
    TOKEN_BUCKET_CAPACITY: 20,
    TOKEN_BUCKET_REFILL_PER_SECOND: 10,
    FIXED_WINDOW_LIMIT: 20,
    FIXED_WINDOW_SECONDS: 1,
    FIXED_WINDOW_ANCHOR: "first",
    SLIDING_LOG_LIMIT: 20,
    SLIDING_LOG_SECONDS: 1,
    TIERED_FREE_PER_DAY: 1000,
    TIERED_LIMIT: 20,
    TIERED_SECONDS: 1,
    LIMITER_TIME_ZONE: "UTC",
    EMA_THRESHOLD: 3.25,
    EMA_RECENT_GAPS: 10,
    EMA_MINIMUM_GAPS: 10,
    EMA_DEVIATION_FLOOR: 0.25,
    EMA_ADAPT_SECONDS: 3600,
    RATING_FLOODS: "hold",
    RATING_OVERFLOW: "reject",
    RATING_MAX_WAIT_MS: 1000,
    RATING_HOLD_DAYS: 14,
    ATTEMPTS_KEPT_DAYS: 90,
    SETTLED_SCORE_FIRST_RATERS: 10,
    SETTLED_SCORE_UNIT_DAYS: 24,
    LIMITER_STORE: "database",
    MEMORY_STORE_MAX_KEYS: 100_000,
    REDIS_URL: "redis://127.0.0.1:6379",
    LIMITS: {},
    ACCESS_RULES: Array(6).fill("as it is"),
    TRUSTED_PROXY_HOPS: 0,
    LOG_LEVEL: "info",
  });
});

test("an empty or blank value counts as unset, and other programs' settings are ignored", () => {
  const blank = Object.fromEntries(settingNames.map((name, index) => [name, index % 2 ? "" : "  "]));
  const asBlank = parseSettings({ ...blank, HOME: "/root", PORTS: "x" });
  expect(comparable(asBlank)).toEqual(comparable(parseSettings({})));
});

test("good values are taken as they are meant", () => {
  expect(
    comparable(
      parseSettings({
        PORT: "0",
        HOST: "::1",
        DATABASE_URL: "file:/srv/weir.db",
        AUTH_SECRET: "s".repeat(32),
        SITE_URL: "https://Example.org/blog/",
        SITE_NAME: " Still Water ",
        SITE_TAGLINE: "نوشته‌هایی دربارهٔ آب",
        LEAKY_BUCKET_CAPACITY: "2.5",
        LIMITS: '{"rating.user": {"mode": "enforce"}}',
        ACCESS_RULES: "allow user mallory, deny address 2001:db8::/32",
        TRUSTED_PROXY_HOPS: "2",
        LIMITER_TIME_ZONE: "Asia/Kathmandu",
        RATING_MAX_WAIT_MS: "10000",
        MEMORY_STORE_MAX_KEYS: "1",
        REDIS_URL: "rediss://weir:hush@redis.example.org:6380/2",
        METRICS_TOKEN: "sixteen-or-more!",
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318/",
      }),
    ),
  ).toMatchObject({
    PORT: 0,
    HOST: "::1",
    DATABASE_URL: "file:/srv/weir.db",
    AUTH_SECRET: "s".repeat(32),
    SITE_URL: "https://example.org",
    SITE_NAME: "Still Water",
    SITE_TAGLINE: "نوشته‌هایی دربارهٔ آب",
    LEAKY_BUCKET_CAPACITY: 2.5,
    LIMITS: { "rating.user": { mode: "enforce" } },
    ACCESS_RULES: ["as it is", "allow", "deny", "allow", "as it is", "allow"],
    TRUSTED_PROXY_HOPS: 2,
    LIMITER_TIME_ZONE: "Asia/Kathmandu",
    RATING_MAX_WAIT_MS: 10_000,
    MEMORY_STORE_MAX_KEYS: 1,
    REDIS_URL: "rediss://weir:hush@redis.example.org:6380/2",
    METRICS_TOKEN: "sixteen-or-more!",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
  });
});

const limitsMessage = 'LIMITS: must be JSON such as {"register.address": {"mode": "off"}}';
test.each([
  ["NODE_ENV", "staging", "NODE_ENV: must be one of development, production, test"],
  ["PORT", "http", "PORT: must be a whole number from 0 to 65535"],
  ["PORT", "65536", "PORT: must be a whole number from 0 to 65535"],
  ["PORT", "-1", "PORT: must be a whole number from 0 to 65535"],
  ["PORT", "80.5", "PORT: must be a whole number from 0 to 65535"],
  ["HOST", "http://blog", "HOST: must be an address or a name of this machine, such as 127.0.0.1"],
  ["DATABASE_URL", "./data/weir.db", "DATABASE_URL: must be a file: address"],
  ["DATABASE_URL", "file:", "DATABASE_URL: must be a file: address"],
  ["SITE_URL", "example.org", "SITE_URL: must be an http or https address"],
  ["SITE_URL", "ftp://example.org", "SITE_URL: must be an http or https address"],
  ["SITE_NAME", "x".repeat(61), "SITE_NAME: must be one line of at most 60 characters"],
  ["SITE_TAGLINE", "two\nlines", "SITE_TAGLINE: must be one line of at most 160 characters"],
  ["RATING_LIMITER", "leaky", `RATING_LIMITER: must be one of ${algorithmNames.join(", ")}, none`],
  ["LEAKY_BUCKET_CAPACITY", "0", "LEAKY_BUCKET_CAPACITY: must be a number above 0"],
  ["LEAKY_BUCKET_CAPACITY", "twenty", "LEAKY_BUCKET_CAPACITY: must be a number above 0"],
  ["LEAKY_BUCKET_CAPACITY", "Infinity", "LEAKY_BUCKET_CAPACITY: must be a number above 0"],
  ["LEAKY_BUCKET_LEAK_PER_SECOND", "-3", "LEAKY_BUCKET_LEAK_PER_SECOND: must be a number above 0"],
  ["EMA_THRESHOLD", "NaN", "EMA_THRESHOLD: must be a number above 0"],
  ["FIXED_WINDOW_ANCHOR", "week", "FIXED_WINDOW_ANCHOR: must be one of first, clock, calendar-day"],
  ["LIMITER_TIME_ZONE", "Mars", "LIMITER_TIME_ZONE: must be a time zone such as Europe/Berlin, or UTC"],
  ["LIMITER_TIME_ZONE", "UTC\n", "LIMITER_TIME_ZONE: must be a time zone such as Europe/Berlin, or UTC"],
  ["RATING_FLOODS", "refuse", "RATING_FLOODS: must be one of hold, count"],
  ["RATING_OVERFLOW", "queue", "RATING_OVERFLOW: must be one of reject, wait, hold"],
  ["ATTEMPTS_KEPT_DAYS", "0", "ATTEMPTS_KEPT_DAYS: must be a number above 0"],
  ["RATING_HOLD_DAYS", "0", "RATING_HOLD_DAYS: must be a number above 0"],
  ["SETTLED_SCORE_FIRST_RATERS", "0", "SETTLED_SCORE_FIRST_RATERS: must be a whole number from 1 to 1000"],
  ["SETTLED_SCORE_UNIT_DAYS", "soon", "SETTLED_SCORE_UNIT_DAYS: must be a number above 0"],
  ["RATING_MAX_WAIT_MS", "-1", "RATING_MAX_WAIT_MS: must be a whole number from 0 to 10000"],
  ["RATING_MAX_WAIT_MS", "10001", "RATING_MAX_WAIT_MS: must be a whole number from 0 to 10000"],
  ["RATING_MAX_WAIT_MS", "0.5", "RATING_MAX_WAIT_MS: must be a whole number from 0 to 10000"],
  ["LIMITER_STORE", "disk", "LIMITER_STORE: must be one of database, memory, redis"],
  ["MEMORY_STORE_MAX_KEYS", "0", "MEMORY_STORE_MAX_KEYS: must be a whole number from 1 to 10000000"],
  ["MEMORY_STORE_MAX_KEYS", "10000001", "MEMORY_STORE_MAX_KEYS: must be a whole number from 1 to 10000000"],
  ["MEMORY_STORE_MAX_KEYS", "1.5", "MEMORY_STORE_MAX_KEYS: must be a whole number from 1 to 10000000"],
  ["LIMITS", "off", limitsMessage],
  ["LIMITS", "[]", limitsMessage],
  ["LIMITS", '{"rating.post": "off"}', limitsMessage],
  ["LIMITS", '{\n"rating.post": 5}', limitsMessage],
  [
    "ACCESS_RULES",
    "deny user mallory, deny everyone",
    'ACCESS_RULES: has "deny everyone"; write rules such as allow address 192.0.2.0/24, deny address 2001:db8::/32 (IPv6 up to /64), deny user mallory',
  ],
  ["ACCESS_RULES", "deny\nuser", 'ACCESS_RULES: has "deny\\nuser"; write rules such as'],
  ["TRUSTED_PROXY_HOPS", "17", "TRUSTED_PROXY_HOPS: must be a whole number from 0 to 16"],
  ["TRUSTED_PROXY_HOPS", "yes", "TRUSTED_PROXY_HOPS: must be a whole number from 0 to 16"],
  ["LOG_LEVEL", "loud", "LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent"],
])("%s=%s stops the start with one line that names it and its value", (name, value, line) => {
  const parse = () => parseSettings({ [name]: value });
  expect(parse).toThrow(SettingsError);
  expect(parse).toThrow(`Bad setting. ${line}`);
  expect(parse).toThrow(`(it is ${JSON.stringify(value)})`);
  expect(parse).not.toThrow(/\n/);
});

test("several bad values are named in one line", () => {
  expect(() => parseSettings({ PORT: "x", LOG_LEVEL: "y" })).toThrow(
    /^Bad setting\. PORT: .*; LOG_LEVEL: .*$/,
  );
});

test.each([
  ["METRICS_TOKEN", "hush-hush", "must have at least 16 characters, and no spaces"],
  ["METRICS_TOKEN", "hush hush hush hush", "must have at least 16 characters, and no spaces"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "hush:4317", "must be an http or https address such as"],
])("%s=%s stops the start, and the message does not show it", (name, value, fault) => {
  const parse = () => parseSettings({ [name]: value });
  expect(parse).toThrow(`Bad setting. ${name}: ${fault}`);
  expect(parse).not.toThrow("hush");
});

test("a secret's value is in no message", () => {
  const parse = () => parseSettings({ AUTH_SECRET: "hush-hush", PORT: "x" });
  expect(parse).toThrow("AUTH_SECRET: must have at least 32 characters");
  expect(parse).not.toThrow("hush");
});

test.each([
  "postgres://weir:hush@[db.example.org/weir",
  "postgres://weir:hush%@db.example.org/weir",
  "mysql://weir:hush@db.example.org/weir",
])(
  "DATABASE_URL=%s is not the address of a database, and the message does not show it, since it may hold a password",
  (url) => {
    const parse = () => parseSettings({ DATABASE_URL: url });
    expect(parse).toThrow(/^Bad setting\. DATABASE_URL: must be a file: address .* or a postgres: address/);
    expect(parse).not.toThrow(/hush|example/);
  },
);

const shared = {
  NODES: "2",
  DATABASE_URL: "postgres://weir:hush@db.example.org/weir",
  AUTH_SECRET: "s".repeat(32),
  NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  MEDIA_FOLDER: "/srv/media",
};

test("accepts several nodes with a shared database, limiter store and secrets", () => {
  expect(parseSettings(shared)).toMatchObject({ NODES: 2, LIMITER_STORE: "database" });
  const redis = { LIMITER_STORE: "redis", REDIS_URL: "redis://redis.example.org" };
  expect(parseSettings({ ...shared, ...redis })).toMatchObject({ LIMITER_STORE: "redis" });
});

test.each([
  [{ DATABASE_URL: "file:./data/weir.db" }, "DATABASE_URL: with NODES=2 must be a postgres:// address"],
  [{ DATABASE_URL: "" }, "DATABASE_URL: with NODES=2 must be a postgres:// address"],
  [{ LIMITER_STORE: "memory" }, "LIMITER_STORE: with NODES=2 must be redis or database"],
  [{ LIMITER_STORE: "redis", REDIS_URL: "" }, "REDIS_URL: with NODES=2 must be set"],
  [{ MEDIA_FOLDER: "" }, "MEDIA_FOLDER: with NODES=2 must be set, one folder that all share"],
  [{ AUTH_SECRET: "" }, "AUTH_SECRET: with NODES=2 must be set, the same on all"],
  [
    { NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: "" },
    "NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: with NODES=2 must be set, the same on all",
  ],
  [
    { NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: "c2hvcnQ=" },
    "NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: must be 16, 24 or 32 bytes in base64",
  ],
])("several nodes with %j are refused in one line, without a secret", (unsafe, line) => {
  const parse = () => parseSettings({ ...shared, ...unsafe });
  expect(parse).toThrow(`Bad setting. ${line}`);
  expect(parse).not.toThrow(/hush|sss|c2hv|\n/);
});

test.each([
  "http://weir:hush@redis.example.org",
  "redis",
  "redis://:hush#@127.0.0.1",
  "redis://:hush@127.0.0.1:99999",
  "redis://:hush@127.0.0.1:0",
  "redis://:hush@127.0.0.1/first",
  "redis://:hush@127.0.0.1/1/2",
  "redis://:hush@127.0.0.1?enableOfflineQueue=true",
])(
  "REDIS_URL=%s is not the address of a Redis, and the message does not show it, since it may hold a password",
  (url) => {
    const parse = () => parseSettings({ REDIS_URL: url, PORT: "x" });
    expect(parse).toThrow(SettingsError);
    expect(parse).toThrow(
      "; REDIS_URL: must be a redis: or rediss: address such as redis://127.0.0.1:6379, or",
    );
    expect(parse).not.toThrow(/hush|example/);
  },
);

test("where floods are held, other defaults apply, and set values replace them", () => {
  const held = { RATING_OVERFLOW: "hold" };
  expect(parseSettings(held)).toMatchObject({ RATING_LIMITER: "ema", EMA_ADAPT_SECONDS: 86_400 });
  const set = { ...held, RATING_LIMITER: "leaky-bucket", EMA_ADAPT_SECONDS: "60" };
  expect(parseSettings(set)).toMatchObject({ RATING_LIMITER: "leaky-bucket", EMA_ADAPT_SECONDS: 60 });
  expect(parseSettings({ ...held, RATING_LIMITER: " " })).toMatchObject({ RATING_LIMITER: "ema" });
});

test("README's table lists every setting once, and marks those of /admin/settings", () => {
  const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  const table = readme.slice(readme.indexOf("\n## Settings\n"), readme.indexOf("\n## Operate it\n"));
  const listed = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = ""]) => ({ name, isMarked: cell.includes("✎") })),
  );
  // Not the operator's: the commands set it.
  expect(listed.map(({ name }) => name).toSorted()).toEqual(
    settingNames.filter((name) => name !== "NODE_ENV").toSorted(),
  );
  const marked = listed.filter(({ isMarked }) => isMarked).map(({ name }) => name);
  expect(marked.toSorted()).toEqual([...siteSettingNames, mailServerName].toSorted());
});

test(".env.example lists every setting once, commented out, with its default", () => {
  const example = readFileSync(join(import.meta.dirname, "../../.env.example"), "utf8");
  const listed = [...example.matchAll(/^# ?([A-Z][A-Z_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => ({
    name,
    value,
  }));
  expect(listed.map(({ name }) => name).toSorted()).toEqual(settingNames.toSorted());
  expect(example.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual([]);
  const asListed = parseSettings(Object.fromEntries(listed.map(({ name, value }) => [name, value])));
  expect(comparable(asListed)).toEqual(comparable(parseSettings({})));
});
