/**
 * The process of one import: imports an archive, and keeps its report up to date.
 * Ends when the server that has started it does: the import can be begun again.
 */
import { Failure } from "../../db/failure.ts";
import { startPeriodicTask } from "../../db/periodic-task.ts";
import type { ImportTask } from "../import-uploads/run.ts";
import { type ImportReport, linesMaximum, newReport, writeReport } from "../import-uploads/uploads.ts";
import { mediaFolder } from "../media/folder.ts";
import { setLocaleOutsideRequests } from "../request/current-request.ts";
import { mediaFolderPath } from "../settings/data-folder.ts";
import { env } from "../settings/env.ts";
import { importFrom } from "./command.ts";

const writeEveryMs = 2_000;

process.once("disconnect", () => process.exit(1));

const task: ImportTask = JSON.parse(process.argv[2] ?? "");
const { archive: path, id, format, isTrial, authors, locale, now } = task;
setLocaleOutsideRequests(locale);
const folder = mediaFolder(mediaFolderPath(env));
const accounts = new Map(authors.map(({ name, account }) => [name, account]));
const posts = new Map<string, number>();
const report = newReport({ format, isTrial, at: now });

async function write(state: ImportReport["state"], problem?: string): Promise<void> {
  Object.assign(report, { state, at: now + Math.round(performance.now()), problem });
  report.authors = [...posts].map(([name, count]) => ({
    name,
    posts: count,
    account: accounts.get(name) ?? "",
  }));
  await writeReport(folder, id, report);
}

const stopWriting = startPeriodicTask(() => write("running"), console.error, { everyMs: writeEveryMs });
let end: [ImportReport["state"], string?] = ["done"];
try {
  const name = `archive.${{ markdown: "md", ghost: "json", wordpress: "xml" }[format]}`;
  const request = { path, name, format, isTrial, authors: Object.fromEntries(accounts) };
  for await (const line of importFrom(request)) {
    report.counts[line.result] += 1;
    if (line.author !== undefined) posts.set(line.author, (posts.get(line.author) ?? 0) + 1);
    // The report leaves out posts without a fault.
    if (line.result !== "failed" && line.notes.length === 0) continue;
    if (report.lines.length < linesMaximum) report.lines.push({ ...line, notes: [...line.notes] });
    else report.more += 1;
  }
} catch (error) {
  end = error instanceof Failure ? ["failed", error.message] : ["failed"];
  if (!(error instanceof Failure)) console.error(error);
}
await stopWriting();
await write(...end);
process.disconnect?.();
