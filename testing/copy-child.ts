/**
 * Copies a blog from one address to another; prints a line for each batch copied.
 * After the given number of lines it waits to be killed.
 */
import { copyDatabase } from "../db/copy/index.ts";
import { linesUntil } from "./lines-until.ts";

const [from = "", to = "", lines = ""] = process.argv.slice(2);
await copyDatabase(from, to, { onProgress: linesUntil(Number(lines)) });
