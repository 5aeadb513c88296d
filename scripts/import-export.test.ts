/** The commands that import posts and export the site. */
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { isAnyRunning, newArchiveFolder, newReport, writeReport } from "../lib/import-uploads/uploads.ts";
import { runChild } from "../testing/child-process.ts";
import { type Ended, jsonOf, runCommand, runCommandHere } from "../testing/command.ts";
import { addPost, addUser } from "../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl, temporaryFolder } from "../testing/database.ts";

/** A blog with an account, and the commands on it. */
async function blog() {
  const url = temporaryDatabaseUrl();
  const database = temporaryDatabase(url);
  const ada = await addUser(database, "ada");
  const env = { DATABASE_URL: url, MEDIA_FOLDER: join(temporaryFolder(), "media") };
  const run = (name: string, ...args: string[]): Promise<Ended> => runCommand(name, args, { env });
  return { database, ada, env, run };
}

test("an exported site is imported elsewhere by the commands, with a map of authors, once", async () => {
  const [from, to] = [await blog(), await blog()];
  await addPost(from.database, from.ada, { title: "Still water" });
  const folder = temporaryFolder();
  const file = join(folder, "site.zip");
  expect((await from.run("export", file, "--emails")).code).toBe(0);
  const refused = await from.run("export", file);
  expect([refused.code, refused.errors]).toEqual([1, `${file} exists already; --force replaces it.\n`]);
  expect(readdirSync(folder)).toEqual(["site.zip"]);

  await addUser(to.database, "jane");
  const map = join(folder, "map.json");
  const trial = await to.run("import", file, "--from", "markdown", "--dry-run");
  expect([trial.code, trial.output]).toEqual([0, expect.stringContaining("1 posts would be imported")]);
  const suggested = 'If ada is the same person, give --author "ada=ada".';
  expect(trial.output).toContain(suggested);
  const unchosen = await to.run("import", file, "--from", "markdown");
  expect([unchosen.code, unchosen.output]).toEqual([1, expect.stringContaining(suggested)]);
  writeFileSync(map, '{"ada": "nobody"}');
  const unknown = await to.run("import", file, "--from", "markdown", "--authors", map);
  expect(unknown.code).toBe(1);
  expect(unknown.output).toContain("No account here is named nobody, as its author is.");
  const options = ["--authors", map, "--author", "ada=jane"];
  const mapped = await to.run("import", file, "--from", "markdown", ...options);
  expect([mapped.code, mapped.output]).toEqual([0, expect.stringContaining("1 posts imported")]);
  expect((await to.database.exports.posts({ after: 0, limit: 9 })).map(({ author }) => author)).toEqual([
    "jane",
  ]);
  expect((await to.database.users.byUsernameKey("ada"))?.isWriter).toBe(false);
  const [change] = await to.database.accountChanges.latest(9, undefined, "all");
  expect(change).toMatchObject({ kind: "make-writer", actor: "operator" });
  const again = await to.run("import", file, "--from", "markdown", "--author", "jane", "--json");
  expect(jsonOf(again)).toMatchObject({ ok: true, imported: 0, skipped: 1 });
});

test("no import by command runs beside another one, and it leaves no report", async () => {
  const { database, ada, env, run } = await blog();
  await addPost(database, ada, { title: "Still water" });
  const file = join(temporaryFolder(), "site.zip");
  expect((await run("export", file)).code).toBe(0);
  const folder = { path: env.MEDIA_FOLDER };
  const options = [file, "--from", "markdown", "--author", "ada"];
  const id = await newArchiveFolder(folder);
  const report = newReport({ format: "ghost", isTrial: false, at: Date.now() + 600_000 });
  await writeReport(folder, id, report);
  const refused = await run("import", ...options);
  expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining("Another import is running")]);
  await writeReport(folder, id, { ...report, state: "done" });
  expect((await run("import", ...options)).code).toBe(0);
  expect(readdirSync(join(folder.path, "imports"))).toEqual([id]);
});

test.runIf(process.platform === "linux")(
  "an import that is killed blocks no other one on its host, which removes its report",
  async () => {
    const { env, run } = await blog();
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const folder = { path: env.MEDIA_FOLDER };
    const posts = temporaryFolder();
    for (let post = 0; post < 2_000; post += 1)
      writeFileSync(join(posts, `${post}.md`), `---\ntitle: Post ${post}\n---\n\nSome words.\n`);
    const options = ["--from", "markdown", "--author", "ada"];
    const killed = runChild("scripts/import.ts", [posts, ...options]);
    let hasEnded = false;
    void killed.ended.finally(() => {
      hasEnded = true;
    });
    await expect.poll(async () => hasEnded || isAnyRunning(folder, Date.now())).toBe(true);
    killed.kill("SIGKILL");
    await killed.ended;
    expect(readdirSync(join(folder.path, "imports"))).toHaveLength(1);
    expect(await isAnyRunning(folder, Date.now())).toBe(false);
    const file = join(posts, "0.md");
    expect(await run("import", file, ...options)).toMatchObject({ code: 0, errors: "" });
    expect(readdirSync(join(folder.path, "imports"))).toEqual([]);
  },
);

test("an export is readable by its owner alone, as an archive and as a folder", async () => {
  const { database, ada, run } = await blog();
  await addPost(database, ada, { title: "Still water" });
  const folder = temporaryFolder();
  const [file, files] = [join(folder, "site.zip"), join(folder, "site")];
  for (const target of [file, files]) expect((await run("export", target)).code).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const entries = readdirSync(files, { withFileTypes: true, recursive: true });
  expect(entries.length).toBeGreaterThan(1);
  expect(statSync(files).mode & 0o777).toBe(0o700);
  for (const entry of entries) {
    const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
    expect(mode, entry.name).toBe(entry.isDirectory() ? 0o700 : 0o600);
  }
});

test.each([
  ["import", ["x"], "--from must be one of markdown, ghost, wordpress."],
  ["import", ["x", "y", "--from", "ghost"], "There is only one PATH"],
  ["import", ["--from", "ghost"], "FILE is missing."],
  [
    "import",
    ["x", "--from", "ghost", "--author", "a", "--authors", "b"],
    "--author ACCOUNT is for all posts",
  ],
  [
    "import",
    ["x", "--from", "ghost", "--author", "a", "--author", "b=c"],
    "--author ACCOUNT is for all posts",
  ],
  ["export", [], "FILE is missing."],
  ["export", ["x", "y"], "There is only one target"],
] as const)("%s %j is wrong usage", async (name, args, message) => {
  const { code, errors } = await runCommandHere(name, args);
  expect(code).toBe(2);
  expect(errors).toContain(message);
  expect(existsSync("x")).toBe(false);
});
