/**
 * The process of one import: imports an archive, and keeps its report up to date.
 * Ends when the server that has started it does: the import can be begun again.
 */
import { Failure } from "../../db/failure.ts";
import { startPeriodicTask } from "../../db/periodic-task.ts";
import { writeEveryMs } from "../import-uploads/import-lock.ts";
import { addTo, shortText } from "../import-uploads/report-lines.ts";
import type { ImportTask } from "../import-uploads/run.ts";
import { type ImportReport, newReport, writeReport } from "../import-uploads/uploads.ts";
import { mediaFolder } from "../media/folder.ts";
import { setLocaleOutsideRequests } from "../request/current-request.ts";
import { mediaFolderPath } from "../settings/data-folder.ts";
import { env } from "../settings/env.ts";
import { importFrom } from "./command.ts";

process.once("disconnect", () => process.exit(1));

const { promise, resolve } = Promise.withResolvers<ImportTask>();
process.once("message", resolve);
const { archive: path, id, format, isTrial, authors, by, locale, now } = await promise;
setLocaleOutsideRequests(locale);
const folder = mediaFolder(mediaFolderPath(env));
const accounts = new Map(authors.map(({ name, account }) => [name, account]));
const report = newReport({ format, isTrial, at: now });
const add = addTo(report, accounts);

async function write(state: ImportReport["state"], problem?: string): Promise<void> {
  Object.assign(report, { state, at: now + Math.round(performance.now()), problem });
  await writeReport(folder, id, report);
}

const stopWriting = startPeriodicTask(() => write("running"), console.error, { everyMs: writeEveryMs });
let end: [ImportReport["state"], string?] = ["done"];
try {
  const name = `archive.${{ markdown: "md", ghost: "json", wordpress: "xml" }[format]}`;
  const request = { path, name, isAlone: true, format, isTrial, authors: Object.fromEntries(accounts), by };
  for await (const line of importFrom(request)) add(line);
} catch (error) {
  end = error instanceof Failure ? ["failed", shortText(error.message)] : ["failed"];
  if (!(error instanceof Failure)) console.error(error);
}
await stopWriting();
await write(...end);
process.exit(0);
