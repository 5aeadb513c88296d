import { Redis } from "ioredis";
import { expect, onTestFinished, test } from "vitest";
import { startRedis } from "../../scripts/cluster/start-redis.ts";
import { logOn } from "./log.ts";
import { secretRemover } from "./without-secrets.ts";

/** The log's text for these values. */
function written(...values: object[]): string {
  const lines: string[] = [];
  const log = logOn({ write: (line) => void lines.push(line) });
  for (const value of values) log.error(value, "message");
  expect(lines).toHaveLength(values.length);
  return lines.join("");
}

test("an error is logged with its kind, message, code, stack and causes", () => {
  const cause = Object.assign(new TypeError("the cause"), { code: "E_CAUSE" });
  const error = new Error("what happened", { cause });
  const { err } = JSON.parse(written({ err: error }));
  expect(err).toEqual({
    type: "Error",
    message: "what happened",
    stack: expect.stringContaining("logged-error.test.ts"),
    cause: { type: "TypeError", message: "the cause", code: "E_CAUSE", stack: expect.any(String) },
  });
});

test("an error that is its own cause, and many that are one, are logged to some depth", () => {
  const circle = new Error("circle");
  circle.cause = circle;
  expect(written({ err: circle }).split('"message":"circle"')).toHaveLength(5);
  expect(written({ err: new AggregateError([new Error("one"), "two"], "both") })).toMatch(/both.*one.*two/);
});

test("the error of a Redis that refuses a password does not show it, though it carries the command", async () => {
  const redis = await startRedis({ password: "another" });
  onTestFinished(() => redis.stop());
  const client = new Redis(redis.url.replace("//", "//:hush-hush@"));
  onTestFinished(() => client.disconnect());
  const error = await new Promise((resolve) => client.on("error", resolve));
  expect(JSON.stringify(error)).toContain("hush-hush");
  const line = written({ err: error }, { err: new Error("outside", { cause: error }) });
  expect(line).toMatch(/WRONGPASS|invalid/);
  expect(line).not.toContain("hush");
});

test("an error of a database shows neither the query's values nor its detail", () => {
  const error = Object.assign(new Error('duplicate key value violates unique constraint "users_email_key"'), {
    code: "23505",
    detail: "Key (email)=(ada@example.org) already exists.",
    query: "insert into users values ($1)",
    parameters: ["ada@example.org", "hash-of-a-password"],
  });
  const line = written({ err: error });
  expect(line).toContain("23505");
  expect(line).not.toMatch(/ada@|hash-of/);
});

test("a line of the log holds no part of an address's password", () => {
  const error = new Error("postgres://weir:hush@db.example.org is not there");
  const line = written({ err: error }, { what: String(error) }, { err: new Error("x", { cause: error }) });
  expect(line).not.toContain("hush");
  expect(line).toContain("postgres://[secret]@db.example.org");
});

test.each([
  [
    "postgres://weir:hush@db.example.org/weir is not there",
    "postgres://[secret]@db.example.org/weir is not there",
  ],
  ["redis://:hu@sh@127.0.0.1:6379", "redis://[secret]@127.0.0.1:6379"],
  ["see https://example.org/@someone", "see https://example.org/@someone"],
  ["the token is hush-hush.", "the token is [secret]."],
])("in a line of the log, %s is %s", (message, shown) => {
  expect(secretRemover(["hush-hush"])(message)).toBe(shown);
});

test("secrets in a logged error are left out of the line", () => {
  const line = written(
    { password: "hush", token: "hush", address: "192.0.2.77" },
    { request: { headers: { cookie: "hush" }, body: "hush" }, user: { email: "hush@example.org" } },
  );
  expect(line).not.toMatch(/hush|192\.0\.2\.77/);
  expect(line).toContain("[Redacted]");
});
