import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { countsOfRatings } from "../db/contract/setting.ts";
import { openDatabase } from "../db/index.ts";
import { createRating } from "../lib/ratings/index.ts";
import { logIn } from "../lib/users/index.ts";
import { filesIn } from "../testing/archive.ts";
import { childEnvironment, nodeOptions } from "../testing/child-process.ts";
import { clockAhead, jsonOf, runCommand, runCommandHere } from "../testing/command.ts";
import { addPost, addUser, addUsers, contextOf, morning } from "../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl, temporaryFolder } from "../testing/database.ts";
import { patientTimeouts, sharedPostgres } from "../testing/postgres-server.ts";

const password = "quiet water 8";

function commandsOn(url: string) {
  return (args: readonly string[], input = "") =>
    runCommand("user", args, { env: { DATABASE_URL: url }, input });
}

async function mayLogIn(url: string, username: string, guess: string) {
  const context = contextOf(temporaryDatabase(url));
  return (await logIn(context, { input: { username, password: guess }, address: "192.0.2.1", now: morning }))
    .kind;
}

test("users are made, promoted, disabled, let in again, given passwords and listed", async () => {
  const url = temporaryDatabaseUrl();
  const user = commandsOn(url);
  const made = await user(["create", "alder", "alder@example.org"], `${password}\n`);
  expect(made).toEqual({ code: 0, output: "alder is a user now and an administrator.\n", errors: "" });
  const second = await user(["create", "birch", "birch@example.org", "--json"], password);
  expect(jsonOf(second)).toEqual({ ok: true, username: "birch", isAdministrator: false });
  expect(await mayLogIn(url, "birch", password)).toBe("logged-in");

  expect((await user(["promote", "birch"])).code).toBe(0);
  expect((await user(["demote", "ALDER"])).code).toBe(0);
  const last = await user(["demote", "birch", "--json"]);
  expect(last.code).toBe(1);
  expect(jsonOf(last)).toEqual({ ok: false, error: expect.stringContaining("only administrator") });

  expect((await user(["promote", "alder", "--role", "moderator"])).output).toBe(
    "alder is a moderator now.\n",
  );
  expect((await user(["list"])).output).toContain("alder@example.org  moderator\n");
  expect((await user(["demote", "alder", "--role", "moderator"])).code).toBe(0);

  expect((await user(["disable", "alder"])).code).toBe(0);
  expect(await mayLogIn(url, "alder", password)).toBe("disabled");
  expect(jsonOf(await user(["list", "--json"]))).toMatchObject({
    users: [
      { username: "alder", isAdministrator: false, isDisabled: true },
      { username: "birch", email: "birch@example.org", isAdministrator: true, isDisabled: false },
    ],
  });
  expect((await user(["enable", "alder"])).code).toBe(0);
  expect((await user(["reset-password", "alder"], "a new one for alder\n")).code).toBe(0);
  expect(await mayLogIn(url, "alder", "a new one for alder")).toBe("logged-in");
  expect(await mayLogIn(url, "alder", password)).toBe("wrong");
  expect((await user(["list"])).output).toBe(
    "alder  alder@example.org\nbirch  birch@example.org  administrator\n",
  );
});

test("a user's data is written to a file that is not there yet", async () => {
  const url = temporaryDatabaseUrl();
  const alder = await addUser(temporaryDatabase(url), "alder");
  await addPost(temporaryDatabase(url), alder, { title: "Still water" });
  const file = join(temporaryFolder(), "alder.zip");
  const user = commandsOn(url);
  expect(await user(["export", "nobody", file])).toMatchObject({ code: 1, output: "" });
  expect((await user(["export", "alder", file])).output).toBe(`The data of alder is in ${file}.\n`);
  const files = await filesIn(readFileSync(file));
  expect(JSON.parse(files.get("account.json") ?? "")).toMatchObject({ username: "alder" });
  const again = await user(["export", "alder", file]);
  expect([again.code, again.errors]).toEqual([1, expect.stringContaining("exists already")]);
  expect((await user(["export", "alder", file, "--force"])).code).toBe(0);
  expect((await user(["list", "--force"])).code).toBe(2);
});

test("many accounts are disabled from a file, after a dry run, and enabled again", async () => {
  const url = temporaryDatabaseUrl();
  const database = temporaryDatabase(url);
  const keeper = await addUser(database, "keeper", { isAdministrator: true });
  const { id, slug } = await addPost(database, keeper);
  const users = await addUsers(database, 3);
  const context = contextOf(database);
  for (const user of users)
    await createRating(context, { slug, user, address: "192.0.2.1", input: { score: 0 }, now: morning });
  const file = join(temporaryFolder(), "names");
  writeFileSync(file, "user-1\n\nUSER-2\n");
  const user = commandsOn(url);
  const why = ["--why", "A raid."];
  const dry = await user(["disable", "--file", file, "--dry-run", "--json"]);
  const found = { usernames: ["user-1", "user-2"], ratings: 2, posts: 1, refused: [] };
  expect(jsonOf(dry)).toEqual({ ok: true, dryRun: true, ...found });
  expect((await database.posts.bySlug(slug))?.counts[0]).toBe(3);
  const dryAll = await user(["disable", "user-1", "keeper", "--dry-run", "--json"]);
  expect(jsonOf(dryAll)).toMatchObject({ usernames: ["user-1"], refused: ["keeper"] });
  expect((await user(["disable", "keeper", "--dry-run"])).errors).toContain("the only administrator");
  await database.replays.request(id, morning);
  expect((await user(["disable", "--file", file, ...why])).output).toBe(
    "2 accounts are disabled:\n2 ratings of 1 post left the scores.\n",
  );
  expect((await database.posts.bySlug(slug))?.counts[0]).toBe(1);
  expect(await countsOfRatings(database, id)).toEqual([1, 0, 0, 0, 0, 0]);
  expect(await database.replays.waiting(1)).toEqual([]);
  const day = ["--registered-between", "2026-03-01", "2026-03-02"];
  expect((await user(["enable", ...day])).output).toContain("2 ratings of 1 post returned to the scores.");
  expect((await database.posts.bySlug(slug))?.counts[0]).toBe(3);
});

test.each([
  ["SQLite, counts up to an hour after the trusted time", async () => temporaryDatabaseUrl(), morning],
  [
    "PostgreSQL, does not count",
    async () => (await sharedPostgres()).newMigratedDatabase(),
    Date.now(), // its own clock, which is this machine's
  ],
])("While this machine's clock is a year ahead, disabling on %s", async (_, newUrl, trustedAt) => {
  const url = await newUrl();
  const database = await openDatabase(url, { timeouts: patientTimeouts });
  onTestFinished(() => database.close());
  const { id, slug } = await addPost(database, await addUser(database, "author"));
  const [staying, leaving] = await addUsers(database, 2);
  for (const user of [staying, leaving]) {
    if (!user) throw new Error("There is a user.");
    const rating = { slug, user, address: "192.0.2.1", input: { score: 4 }, now: morning };
    await createRating(contextOf(database), rating);
  }
  await database.operations.saveTrustedTime({ at: trustedAt, pending: null });
  const yearAhead = clockAhead(365 * 86_400_000);
  const ended = await runCommand("user", ["disable", leaving?.username ?? ""], {
    env: { DATABASE_URL: url, ...yearAhead },
  });
  expect(ended).toMatchObject({ code: 0, errors: "" });
  const { counts, settled } = await database.tallies.find(id);
  expect(counts).toEqual([0, 0, 0, 0, 1, 0]);
  expect(settled.at).toBeLessThanOrEqual(trustedAt + 3_600_000);
});

test("input that registration would refuse is refused here, in the same words", async () => {
  const user = commandsOn(temporaryDatabaseUrl());
  const short = await user(["create", "alder", "alder@example.org"], "short");
  expect(short).toEqual({ code: 1, output: "", errors: "Password must have at least 8 characters.\n" });
  expect((await user(["create", "alder", "no-address"], password)).errors).toContain(
    "Email must be an address",
  );
  expect((await user(["promote", "nobody"])).errors).toBe("There is no user nobody.\n");
});

test.each([
  [[], "What is to be done?"],
  [["remove", "alder"], "There is no command remove."],
  [["create", "alder"], "create needs a NAME and an EMAIL."],
  [["promote"], "promote needs a NAME and nothing else."],
  [["list", "all"], "list needs nothing else."],
  [["promote", "alder", "--administrator"], "--administrator goes with create."],
  [["disable", "alder", "--role", "moderator"], "--role goes with promote and demote."],
  [["promote", "alder", "--role", "king"], "There is no role king;"],
  [["disable"], "disable needs a NAME, --file or --registered-between."],
  [["list", "--dry-run"], "go with disable and enable."],
  [["disable", "--registered-between", "2026-03-01"], "needs FROM and TO"],
  [["disable", "--registered-between", "2026-03-01", "soon"], '"soon" is not a time'],
  [["list", "--password", "x"], "Unknown option '--password'"],
])(
  "user %j is wrong usage: exit code 2, an explanation and the usage on standard error",
  async (args, expected) => {
    const { code, output, errors } = await runCommandHere("user", args);
    expect([code, output]).toEqual([2, ""]);
    expect(errors).toContain(expected);
    expect(errors).toContain("npm run user -- create NAME EMAIL");
  },
);

test("a password typed on a terminal is not shown", async () => {
  const url = temporaryDatabaseUrl();
  if (spawnSync("script", ["--version"]).status !== 0)
    throw new Error("script is missing: apt-get install bsdutils");
  const command = `"${process.execPath}" ${nodeOptions.join(" ")} scripts/user.ts create alder alder@example.org`;
  const terminal = spawn("script", ["-qec", command, "/dev/null"], {
    env: childEnvironment({ DATABASE_URL: url }),
  });
  let shown = "";
  terminal.stdout.on("data", (chunk) => {
    const before = shown;
    shown += String(chunk);
    // The password is requested twice.
    for (const question of ["Password: ", "The same again: "])
      if (shown.includes(question) && !before.includes(question)) terminal.stdin.write(`${password}\r`);
  });
  const errors = text(terminal.stderr);
  const [code] = await once(terminal, "close");
  expect([code, await errors]).toEqual([0, ""]);
  expect(shown).toContain("alder is a user now");
  expect(shown).not.toContain("quiet");
  expect(await mayLogIn(url, "alder", password)).toBe("logged-in");
});
