/**
 * Copies a blog from one address to another, and prints a line for each batch that is in the target. After so many lines
 * it waits to be killed.
 */
import { copyDatabase } from "../db/copy/index.ts";
import { linesUntil } from "./lines-until.ts";

const [from = "", to = "", lines = ""] = process.argv.slice(2);
await copyDatabase(from, to, { onProgress: linesUntil(Number(lines)) });
