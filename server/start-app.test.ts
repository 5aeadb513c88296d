/** The app's start, in a process of its own, where it fails. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDatabaseUrl, temporaryFolder } from "../testing/database.ts";

const start = 'import("./server/start-app.ts").then(({ startApp }) => startApp())';

test("the start ends with a line that names the folder of images when it cannot be written", () => {
  const file = join(temporaryFolder(), "a-file");
  writeFileSync(file, "not a folder");
  const MEDIA_FOLDER = join(file, "media");
  const ended = spawnSync(process.execPath, ["--input-type=module", "--eval", start], {
    env: {
      ...process.env,
      NODE_OPTIONS: "",
      DATABASE_URL: temporaryDatabaseUrl(),
      MEDIA_FOLDER,
      LOG_LEVEL: "error",
    },
    encoding: "utf8",
  });
  expect(ended.status).toBe(1);
  expect(ended.stdout + ended.stderr).toContain(
    `the folder of images cannot be written, so the server ends: make ${MEDIA_FOLDER} writable, or set MEDIA_FOLDER`,
  );
});
