/** The schemas of the site's images, its export and imports in the JSON API. */
import { z } from "zod";
import { authorsMaximum, importFormats } from "../import-uploads/kinds.ts";
import { archiveMaximumBytes, type ImportReport, importReport } from "../import-uploads/uploads.ts";
import { siteImageNames } from "../site/schema.ts";

const archiveMegabytes = archiveMaximumBytes / 1024 / 1024;

/** The form of an upload, for the description. */
export const newSiteImageSchema = z.object({
  file: z.file().describe("A JPEG, PNG, WebP, AVIF or GIF image of at most 10 MB."),
});

export const siteImageAnswer = z.object({
  name: z.enum(siteImageNames),
  address: z.string().describe("Where the image is on this site."),
});

export const exportQuerySchema = z.object({
  emails: z
    .enum(["yes", "no"], "Emails must be yes or no.")
    .default("no")
    .describe("Whether the email addresses of users and of subscribers are in it."),
});

export const exportAnswer = z.file().describe("A ZIP archive of Markdown, JSON and images.");

/** The body of an upload, for the description. */
export const newArchiveSchema = z
  .file()
  .describe(
    `A ZIP archive of Markdown files, Ghost's JSON or WordPress' XML, or one such file; at most ${archiveMegabytes} MB.`,
  );

export const savedArchiveAnswer = z.object({
  archive: z.string().describe("For the path of its import. The archive is kept for a day."),
});

/** The choices of an import. */
export const importSchema = z.strictObject({
  format: z.enum(importFormats, `Format must be one of ${importFormats.join(", ")}.`),
  dryRun: z.boolean("DryRun must be true or false.").describe("Whether only to report, and to save nothing."),
  authors: z
    .record(z.string(), z.string(), 'Authors must be an object such as {"Jane Doe": "jane"}.')
    .refine((authors) => Object.keys(authors).length <= authorsMaximum, `At most ${authorsMaximum} authors.`)
    .default({})
    .describe(
      "The accounts that get the posts, by the authors' names in the archive. Posts of other authors are not imported; a dry run suggests for them the accounts of the same names.",
    ),
});

const { format, counts, authors, lines, more, problem } = importReport.shape;

export const importAnswer = z.object({
  state: z
    .enum(["uploaded", "running", "done", "failed"])
    .describe("`uploaded`: not begun. `failed`: it broke off, and can be begun again."),
  format: format.optional(),
  dryRun: z.boolean().optional(),
  changedAt: z.iso.datetime().optional(),
  counts: counts.optional().describe("The number of posts, by result."),
  authors: authors
    .optional()
    .describe(
      "The archive's authors, at most 500, and the accounts that get their posts, or those of the same names as suggestions; empty for none.",
    ),
  lines: lines.optional().describe("Posts that were not imported, or with notes."),
  more: more.optional().describe("How many further lines there are."),
  problem: problem.describe("Why it failed."),
});

/** An import's report; undefined before the first. */
export function shownImport(
  report: ImportReport | undefined,
  isRunning: boolean,
): z.infer<typeof importAnswer> {
  if (!report) return { state: "uploaded" };
  // The process that runs it is the server's own matter.
  const { state, isTrial, at, writer: _, ...shown } = report;
  return {
    ...shown,
    // One that has been silent for long has ended without a report.
    state: state === "running" && !isRunning ? "failed" : state,
    dryRun: isTrial,
    changedAt: new Date(at).toISOString(),
  };
}
