/**
 * Backs up a database to a file, or restores it from one; prints a line per step.
 * After the given number of lines it waits to be killed.
 */
import { backUp } from "../db/backup.ts";
import { restore } from "../db/restore.ts";
import { morning } from "./content.ts";
import { linesUntil } from "./lines-until.ts";

const [what = "", url = "", file = "", lines = ""] = process.argv.slice(2);
const onStage = linesUntil(Number(lines));
if (what === "restore") await restore(url, file, { replaces: true, now: morning, onStage });
else await backUp(url, file, { replaces: true, onStage });
