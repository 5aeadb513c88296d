/**
 * Makes every kind of private file under a lax umask; is then killed.
 * Opens a database in `data/`, backs it up, restores and copies it, and makes a secret.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { backUp } from "../db/backup.ts";
import { copyDatabase } from "../db/copy/index.ts";
import { openDatabase } from "../db/index.ts";
import { restore } from "../db/restore.ts";
import { keptSecret } from "../lib/auth/secret.ts";

process.umask(0);
const database = resolve("data/weir.db");
const backup = resolve("data/weir.backup");
const restored = resolve("data/restored.db");
const copy = resolve("data/copy.db");
keptSecret(join("data", "auth-secret"));
await openDatabase(`file:${database}`);
if (!existsSync(backup)) await backUp(`file:${database}`, backup);
await restore(`file:${restored}`, backup, { replaces: true, now: Date.now() });
if (!existsSync(copy)) await copyDatabase(`file:${database}`, `file:${copy}`);
else await (await openDatabase(`file:${copy}`)).close();
// The write-ahead log stays.
process.kill(process.pid, "SIGKILL");
