/**
 * Archives that administrators upload to import, and the reports about them.
 * They lie beside the images, where all nodes find them, for a day.
 */
import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { errorCode } from "../../db/error-code.ts";
import { type MediaFolder, reservedBytes } from "../media/folder.ts";
import { dayMs, minuteMs } from "../time/units.ts";
import { importFormats, importResults } from "./kinds.ts";
import { hasEnded, thisProcess } from "./writer.ts";

/** The largest archive that can be uploaded; the command takes larger ones. */
export const archiveMaximumBytes = 512 * 1024 * 1024;
/** How many archives are kept at most, the latest ones. */
const archivesMaximum = 5;
/** How long an archive is kept. */
export const archivesKeptMs = dayMs;
/** A running import writes its report more often than this. */
const silenceMaximumMs = minuteMs;
/** More than any report has: its lines and authors are bounded (`report-lines.ts`). */
const reportMaximumBytes = 4 * 1024 * 1024;

const line = z.object({
  source: z.string(),
  result: z.enum(importResults),
  author: z.string().optional(),
  slug: z.string().optional(),
  reason: z.string().optional(),
  notes: z.array(z.string()),
});

/** The latest report about an archive, as it is saved. */
export const importReport = z.object({
  format: z.enum(importFormats),
  isTrial: z.boolean(),
  state: z.enum(["running", "done", "failed"]),
  /** When it was written, in milliseconds. */
  at: z.number(),
  /** The process that wrote it (`writer.ts`). */
  writer: z.string().optional(),
  counts: z.record(z.enum(importResults), z.int()),
  lines: z.array(line),
  /** How many lines were left out. */
  more: z.int(),
  /** The authors in the archive, and the accounts that get their posts, or could. */
  authors: z.array(z.object({ name: z.string(), posts: z.int(), account: z.string() })),
  /** Why it failed. */
  problem: z.string().optional(),
});

export type ImportReport = z.infer<typeof importReport>;

/** The report of an import that has just begun. */
export function newReport({
  format,
  isTrial,
  at,
}: Pick<ImportReport, "format" | "isTrial" | "at">): ImportReport {
  const counts = { imported: 0, "would-import": 0, skipped: 0, failed: 0 };
  return { format, isTrial, at, state: "running", counts, lines: [], more: 0, authors: [] };
}

export type ImportsFolder = Pick<MediaFolder, "path">;

const folderOf = (folder: ImportsFolder, id = "") => join(folder.path, "imports", id);
const archiveOf = (folder: ImportsFolder, id: string) => join(folderOf(folder, id), "archive");

/** Saves an archive as it arrives; resolves to its id. */
export async function saveArchive(
  folder: Pick<MediaFolder, "path" | "freeBytes">,
  content: AsyncIterable<Buffer>,
  now: number,
): Promise<{ kind: "saved"; id: string } | { kind: "too-large" | "empty" | "disk-full" }> {
  await removeOldArchives(folder, now, archivesMaximum - 1);
  const maximum = Math.min(archiveMaximumBytes, (await folder.freeBytes()) - reservedBytes);
  const id = await newArchiveFolder(folder);
  let bytes = 0;
  let isSaved = false;
  async function* bounded() {
    for await (const chunk of content) {
      bytes += chunk.length;
      if (bytes > maximum) throw new TooLarge();
      yield chunk;
    }
  }
  try {
    await pipeline(
      Readable.from(bounded(), { objectMode: false }),
      createWriteStream(archiveOf(folder, id), { flags: "wx", mode: 0o600 }),
    );
    isSaved = bytes > 0;
    return isSaved ? { kind: "saved", id } : { kind: "empty" };
  } catch (error) {
    if (error instanceof TooLarge) return { kind: maximum < archiveMaximumBytes ? "disk-full" : "too-large" };
    if (errorCode(error) === "ENOSPC" || errorCode(error) === "EDQUOT") return { kind: "disk-full" };
    throw error;
  } finally {
    if (!isSaved) await removeArchive(folder, id);
  }
}

/** Makes the folder of an archive and its report; resolves to the id. */
export async function newArchiveFolder(folder: ImportsFolder): Promise<string> {
  const id = randomBytes(16).toString("hex");
  await mkdir(folderOf(folder, id), { recursive: true, mode: 0o700 });
  return id;
}

/** Removes an archive with its report. */
export function removeArchive(folder: ImportsFolder, id: string): Promise<void> {
  return rm(folderOf(folder, id), { recursive: true, force: true });
}

class TooLarge extends Error {}

/** The path of an uploaded archive; undefined when there is none. */
export async function archiveAt(folder: ImportsFolder, id: string): Promise<string | undefined> {
  const path = /^[0-9a-f]{32}$/.test(id) ? archiveOf(folder, id) : undefined;
  return path && (await stat(path).catch(() => undefined)) ? path : undefined;
}

/**
 * The latest report about an archive; undefined before the first.
 * Also for a file that is too large for one.
 */
export async function readReport(folder: ImportsFolder, id: string): Promise<ImportReport | undefined> {
  const path = join(folderOf(folder, id), "report.json");
  const bytes = (await stat(path).catch(() => undefined))?.size ?? 0;
  if (bytes > reportMaximumBytes) return undefined;
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? undefined : importReport.parse(JSON.parse(text));
}

/** Replaces the report about an archive. */
export async function writeReport(folder: ImportsFolder, id: string, content: ImportReport): Promise<void> {
  const path = join(folderOf(folder, id), "report.json");
  const unfinished = `${path}.unfinished-${process.pid}`;
  await writeFile(unfinished, JSON.stringify({ ...content, writer: thisProcess() }), { mode: 0o600 });
  await rename(unfinished, path);
}

/**
 * Whether an import is running.
 * One that was broken off has ended: at once where its process can be looked for, else when silent for a minute.
 */
export function isRunning(
  { state, at, writer }: Pick<ImportReport, "state" | "at" | "writer">,
  now: number,
): boolean {
  return state === "running" && now - at < silenceMaximumMs && !(writer && hasEnded(writer));
}

/** Whether any import is running, on any node. */
export async function isAnyRunning(folder: ImportsFolder, now: number): Promise<boolean> {
  for (const id of await idsIn(folder)) {
    const found = await readReport(folder, id);
    if (found && isRunning(found, now)) return true;
  }
  return false;
}

/** Removes the remains of interrupted commands: reports without an archive. */
export async function removeBrokenOff(folder: ImportsFolder, now: number): Promise<void> {
  for (const id of await idsIn(folder)) {
    const report = await readReport(folder, id);
    const isBrokenOff = report?.state === "running" && !isRunning(report, now);
    if (isBrokenOff && !(await archiveAt(folder, id))) await removeArchive(folder, id);
  }
}

/** Removes archives older than a day, and all but the latest `maximum`. */
export async function removeOldArchives(
  folder: ImportsFolder,
  now: number,
  maximum = archivesMaximum,
): Promise<void> {
  const found = await Promise.all(
    (await idsIn(folder)).map(async (id) => ({
      id,
      at: (await stat(folderOf(folder, id)).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  );
  const latestFirst = found.sort((one, other) => other.at - one.at);
  for (const [index, { id, at }] of latestFirst.entries())
    if (index >= maximum || now - at > archivesKeptMs) await removeArchive(folder, id);
}

async function idsIn(folder: ImportsFolder): Promise<string[]> {
  const names = await readdir(folderOf(folder)).catch(() => []);
  return names.filter((name) => /^[0-9a-f]{32}$/.test(name));
}
