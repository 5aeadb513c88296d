/** The app's start, in a process of its own. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPost } from "../lib/posts/index.ts";
import { childEnvironment, nodeOptions } from "../testing/child-process.ts";
import { addUser, contextOf } from "../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl, temporaryFolder } from "../testing/database.ts";

const start = 'import("./server/start-app.ts").then(({ startApp }) => startApp())';

test("the start ends with a line that names the folder of images when it cannot be written", () => {
  const file = join(temporaryFolder(), "a-file");
  writeFileSync(file, "not a folder");
  const MEDIA_FOLDER = join(file, "media");
  const ended = startWith(MEDIA_FOLDER);
  expect(ended.status).toBe(1);
  expect(ended.stdout + ended.stderr).toContain(
    `the folder of images cannot be written, so the server ends: make ${MEDIA_FOLDER} writable, or set MEDIA_FOLDER`,
  );
});

test("the start ends with a line that names the folder of images when it is another database's", () => {
  const MEDIA_FOLDER = temporaryFolder();
  writeFileSync(join(MEDIA_FOLDER, `${"i".repeat(25)}-9x9.webp`), "an image");
  writeFileSync(join(MEDIA_FOLDER, "database-id"), "another");
  const ended = startWith(MEDIA_FOLDER);
  expect(ended.status).toBe(1);
  expect(ended.stdout + ended.stderr).toContain(
    `${MEDIA_FOLDER} is the folder of images of another database, so the server ends: set MEDIA_FOLDER`,
  );
});

test("the start ends with a line that names the file with the database's id when it cannot be read", () => {
  const MEDIA_FOLDER = temporaryFolder();
  mkdirSync(join(MEDIA_FOLDER, "database-id"));
  const ended = startWith(MEDIA_FOLDER);
  expect(ended.status).toBe(1);
  expect(ended.stdout + ended.stderr).toMatch(
    /"msg":"[^"]*\/database-id cannot be read \(EISDIR[^"]*\), so the server ends/,
  );
});

function startWith(MEDIA_FOLDER: string) {
  return spawnSync(process.execPath, [...nodeOptions, "--input-type=module", "--eval", start], {
    env: childEnvironment({ DATABASE_URL: temporaryDatabaseUrl(), MEDIA_FOLDER, LOG_LEVEL: "error" }),
    encoding: "utf8",
  });
}

test("a start after hours without a server publishes the posts that fell due meanwhile", async () => {
  const url = temporaryDatabaseUrl();
  const database = temporaryDatabase(url);
  const now = Date.now();
  const hourMs = 3_600_000;
  const user = await addUser(database, "author", { createdAt: now - 10 * hourMs });
  const publishAt = new Date(now - 4 * hourMs).toISOString();
  const input = { title: "A post", content: "Some words.", publishAt };
  await createPost(contextOf(database), { user, address: "192.0.2.1", input, now: now - 9 * hourMs });
  await database.operations.saveTrustedTime({ at: now - 8 * hourMs, pending: null });
  const publishedAt = async () => (await database.posts.bySlug("a-post", { drafts: true }))?.publishedAt;
  expect(await publishedAt()).toBeNull();
  // No server listens in it, so only this keeps it from ending.
  const server = spawn(
    process.execPath,
    [...nodeOptions, "--input-type=module", "--eval", `setInterval(() => {}, 1000); ${start}`],
    {
      env: childEnvironment({
        DATABASE_URL: url,
        MEDIA_FOLDER: temporaryFolder(),
        LOG_LEVEL: "error",
      }),
      stdio: "ignore",
    },
  );
  const ended = once(server, "exit");
  onTestFinished(async () => {
    server.kill("SIGKILL");
    await ended;
  });
  await expect.poll(publishedAt).toBe(Date.parse(publishAt));
  expect((await database.operations.trustedTime())?.at).toBe(now - 8 * hourMs);
});
