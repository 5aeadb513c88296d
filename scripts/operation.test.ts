import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { copyDatabase } from "../db/copy/index.ts";
import { databaseFile } from "../db/index.ts";
import { blogUrl, changeByHand, removeUnrestored } from "../testing/blog.ts";
import { childEnvironment, nodeOptions } from "../testing/child-process.ts";
import { jsonOf, runCommand, runCommandHere } from "../testing/command.ts";
import { temporaryDatabaseUrl, temporaryFolder } from "../testing/database.ts";

test("a blog is backed up and restored by commands, for people and for programs", async () => {
  const [url, to] = [await blogUrl(), temporaryDatabaseUrl()];
  const file = join(temporaryFolder(), "weir.backup");
  const run = (name: string, args: string[], DATABASE_URL = url) =>
    runCommand(name, args, { env: { DATABASE_URL } });
  const first = await run("backup", [file]);
  expect(first).toMatchObject({
    code: 0,
    errors: "",
    output: expect.stringContaining(`The backup is in ${file}`),
  });
  const second = await run("backup", [file, "--json"]);
  expect(second.code).toBe(1);
  expect(jsonOf(second)).toEqual({ ok: false, error: `${file} exists already; --force replaces it.` });
  expect(jsonOf(await run("backup", [file, "--json", "--force"]))).toMatchObject({ ok: true, file });

  expect(await run("restore", [file], to)).toMatchObject({
    code: 0,
    errors: "",
    output: `${file} is restored.\n`,
  });
  const folder = join(dirname(databaseFile(to)), "media");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${"a".repeat(25)}-8x8.webp`), "an image");
  writeFileSync(join(folder, "database-id"), "another");
  const beside = await run("restore", [file, "--force"], to);
  expect(beside.output).toContain(`${folder} is the folder of images of another database`);
  expect(beside.output).toContain(`or remove ${folder}/database-id to hand the folder over.`);
  const refused = await run("restore", [file], to);
  expect([refused.code, refused.output]).toEqual([1, ""]);
  expect(refused.errors).toMatch(/^The database holds users or posts already; --force .*\n$/);
  const forced = jsonOf(await run("restore", [file, "--force", "--json"], to));
  expect(forced).toMatchObject({ ok: true, kept: expect.stringContaining(".before-restore-") });
  expect(existsSync(String(forced.kept))).toBe(true);
  await removeUnrestored(url);
  expect(await copyDatabase(url, to)).toMatchObject({ copied: 0 });
});

test("restore replaces no blog that it cannot back up first, as on a full disk", async () => {
  const [url, small] = [await blogUrl(), temporaryDatabaseUrl()];
  const made = { env: { DATABASE_URL: small }, input: "quiet water 8\n" };
  expect((await runCommand("user", ["create", "alder", "alder@example.org"], made)).code).toBe(0);
  const file = join(temporaryFolder(), "weir.backup");
  expect((await runCommand("backup", [file], { env: { DATABASE_URL: small } })).code).toBe(0);
  const before = temporaryDatabaseUrl();
  copyFileSync(databaseFile(url), databaseFile(before));
  // Files may not grow beyond 256 KiB, as on a disk that has no more room: the larger blog cannot be copied.
  const restoring = spawnSync(
    "sh",
    [
      "-c",
      'ulimit -f 512; exec "$@"',
      "sh",
      process.execPath,
      ...nodeOptions,
      "scripts/restore.ts",
      file,
      "--force",
    ],
    { env: childEnvironment({ DATABASE_URL: url }), encoding: "utf8" },
  );
  expect(restoring.status).toBe(1);
  expect(restoring.stderr).toMatch(/^The database cannot be used: [^\n]+\n$/);
  expect(await copyDatabase(before, url)).toMatchObject({ copied: 0 });
  expect(readdirSync(dirname(databaseFile(url))).filter((name) => name.includes("before"))).toEqual([]);
});

test("a blog is copied by a command, which prints the number of rows and their checksums", async () => {
  const [from, to] = [await blogUrl(), temporaryDatabaseUrl()];
  const image = join("media", `${"a".repeat(25)}-8x8.webp`);
  const [fromFolder, toFolder] = [dirname(databaseFile(from)), dirname(databaseFile(to))];
  mkdirSync(join(fromFolder, "media"));
  writeFileSync(join(fromFolder, image), "an image");
  const { code, output } = await runCommand("copy", [from, to]);
  expect(code).toBe(0);
  expect(output).toContain(`\nCopied 1 files of images to ${toFolder}/media; their checksums are the same`);
  expect(readFileSync(join(toFolder, image), "utf8")).toBe("an image");
  expect(output).toMatch(
    /^users +330 {2}[0-9a-f]{64}\nmedia +1 {2}[0-9a-f]{64}\nposts +27 {2}[0-9a-f]{64}\n/,
  );
  const again = jsonOf(await runCommand("copy", [from, to, "--json"]));
  expect(again).toMatchObject({ ok: true, copied: 0, media: { files: 1, found: 1 } });
  const shared = await runCommand("copy", [from, to, "--media-to", join(fromFolder, "media")]);
  expect(shared.output).toContain(
    `\nThe images stay where they are: both databases use ${fromFolder}/media.\n`,
  );
  expect(shared.output).not.toContain("database-id");
  writeFileSync(join(fromFolder, "media", "database-id"), "one");
  const claimed = await runCommand("copy", [from, to, "--media-to", join(fromFolder, "media")]);
  expect(claimed.output).toContain(
    `\nTo move the blog, remove ${fromFolder}/media/database-id before a server starts on TO`,
  );
  await changeByHand(to, "update users set email = 'x' where id = 2");
  const other = await runCommand("copy", [from, to, "--json"]);
  expect([other.code, jsonOf(other)]).toEqual([
    1,
    { ok: false, error: expect.stringContaining("(users 2)") },
  ]);
});

test.each([
  ["backup", [], "FILE is missing."],
  ["backup", ["a", "b"], "b is too much."],
  ["backup", ["a", "--quick"], "Unknown option '--quick'"],
  ["restore", [], "FILE is missing."],
  ["copy", ["file:./a.db"], "Two addresses are needed"],
  ["copy", ["file:./a.db", "file:./b.db", "--media-from", "/none"], "There is no folder /none."],
  ["copy", ["file:./a.db", "b.db"], "TO must be the address of a database"],
  [
    "copy",
    ["postgres://weir:with%percent@127.0.0.1/weir", "file:./b.db"],
    "FROM must be the address of a database",
  ],
])(
  "%s %j is wrong usage: exit code 2, an explanation and the usage, or JSON",
  async (name, args, expected) => {
    const { code, output, errors } = await runCommandHere(name, args);
    expect([code, output]).toEqual([2, ""]);
    expect(errors).toContain(expected);
    expect(errors).toContain(`npm run ${name} -- `);
    const asJson = await runCommandHere(name, [...args, "--json"]);
    expect([asJson.code, jsonOf(asJson)]).toEqual([
      2,
      { ok: false, error: expect.stringContaining(expected) },
    ]);
  },
);

test.each(["backup", "restore", "copy", "doctor", "user"])(
  "%s --help prints its usage and exit codes",
  async (name) => {
    const { code, output, errors } = await runCommandHere(name, ["--help"]);
    expect([code, errors]).toEqual([0, ""]);
    expect(output).toContain(`npm run ${name}`);
    expect(output).toContain("Exit codes: 0 done; 1 failed, or faults were found; 2 wrong usage.");
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(scripts[name]).toBe(`exec node scripts/operation.mjs ${name}`);
  },
);

test("a copy's bad addresses are not printed: they may hold a password", async () => {
  for (const bad of ["postgre://weir:hidden@127.0.0.1/weir", "postgres://weir:hidden@127.0.0.1:99999/weir"]) {
    const { code, output, errors } = await runCommandHere("copy", [bad, "file:./b.db"]);
    expect(code).toBe(2);
    expect(errors).toContain("FROM must be the address");
    expect(output + errors).not.toContain("hidden");
  }
});

test("a place that cannot be written to is one line that names it", async () => {
  const env = { DATABASE_URL: await blogUrl() };
  const [folder, file] = [temporaryFolder(), join(temporaryFolder(), "a file")];
  writeFileSync(file, "");
  for (const [args, expected] of [
    [[folder, "--force"], folder],
    [[join(file, "weir.backup")], file],
  ] as const) {
    const ended = await runCommand("backup", args, { env });
    expect([ended.code, ended.output]).toEqual([1, ""]);
    expect(ended.errors).toMatch(/^E[A-Z]+: [^\n]+\n$/);
    expect(ended.errors).toContain(expected);
    const asJson = await runCommand("backup", [...args, "--json"], { env });
    expect([asJson.errors, jsonOf(asJson)]).toEqual([
      "",
      { ok: false, error: expect.stringContaining(expected) },
    ]);
  }
});

test("a bad setting is one line that names it", async () => {
  const ended = await runCommand("backup", ["x"], { env: { DATABASE_URL: "somewhere" } });
  expect([ended.code, ended.output]).toEqual([1, ""]);
  expect(ended.errors).toMatch(/^Bad setting\. DATABASE_URL: .*\n$/);
});

test("by npm's way, a file is meant as seen from where the command was given, and the exit code comes through", async () => {
  const [url, folder] = [await blogUrl(), temporaryFolder()];
  const env = { DATABASE_URL: url, INIT_CWD: folder };
  const made = await runCommand("operation.mjs", ["backup", "weir.backup", "--json"], { env });
  expect(jsonOf(made)).toMatchObject({ ok: true, file: join(folder, "weir.backup") });
  expect((await runCommand("operation.mjs", ["backup"], { env })).code).toBe(2);
  writeFileSync(databaseFile(url), "no database any more, only some text");
  expect((await runCommand("operation.mjs", ["backup", "other"], { env })).code).toBe(1);
  const user = { env: { ...env, DATABASE_URL: temporaryDatabaseUrl() }, input: "quiet water 8\n" };
  expect(
    await runCommand("operation.mjs", ["user", "create", "alder", "alder@example.org"], user),
  ).toMatchObject({
    code: 0,
    errors: "",
  });
});
