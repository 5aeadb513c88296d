/**
 * The files to import: of a folder, a ZIP archive, or one file.
 * Links and files over the bounds are left out, and reported. An archive with a path that leads elsewhere is refused.
 */
import { lstat, open, readdir, readFile, stat } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { buffer } from "node:stream/consumers";
import { type Entry, fromFd, type ZipFile } from "yauzl";
import { Failure } from "../../db/failure.ts";
import { translator } from "../i18n/index.ts";
import type { Found } from "./types.ts";

export interface SourceFile {
  path: string;
  bytes: number;
  changedAt: number;
  read(): Promise<Buffer>;
}

export interface Source {
  /** By their paths, with slashes. */
  files: ReadonlyMap<string, SourceFile>;
  /** The parts that were left out, and why. */
  refused: readonly { path: string; reason: string }[];
  close(): Promise<void>;
}

/** Bounds of one import. */
export const sourceMaximum = {
  files: 100_000,
  /** Of one file, unpacked. */
  fileBytes: 64 * 1024 * 1024,
  /** Of all files, unpacked. */
  bytes: 4 * 1024 * 1024 * 1024,
} as const;

/** Opens a folder, a ZIP archive or a file, whose name may be another one. */
export async function openSource(path: string, name = basename(path)): Promise<Source> {
  const t = translator("importing");
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new Failure(t("failure.noFile", { path }));
  if (found.isDirectory()) return sourceOf(await filesInFolder(path));
  if (!found.isFile()) throw new Failure(t("failure.noOrdinaryFile", { path }));
  if (await isZip(path)) return openZip(path);
  return sourceOf([{ path: name, bytes: found.size, changedAt: found.mtimeMs, read: () => readFile(path) }]);
}

/** Keeps the files within the bounds. */
function sourceOf(
  found: readonly (SourceFile | { path: string; reason: string })[],
  close: () => Promise<void> = async () => {},
): Source {
  const t = translator("importing");
  const files = new Map<string, SourceFile>();
  const refused: { path: string; reason: string }[] = [];
  let bytes = 0;
  for (const file of found) {
    if ("reason" in file) refused.push(file);
    else if (files.has(file.path)) refused.push({ path: file.path, reason: t("reason.twice") });
    else if (file.bytes > sourceMaximum.fileBytes)
      refused.push({
        path: file.path,
        reason: t("reason.tooLarge", { megabytes: inMegabytes(sourceMaximum.fileBytes) }),
      });
    else if (bytes + file.bytes > sourceMaximum.bytes)
      refused.push({
        path: file.path,
        reason: t("reason.allTooLarge", { megabytes: inMegabytes(sourceMaximum.bytes) }),
      });
    else {
      bytes += file.bytes;
      files.set(file.path, file);
    }
  }
  return { files, refused, close };
}

async function filesInFolder(folder: string): Promise<(SourceFile | { path: string; reason: string })[]> {
  const found: (SourceFile | { path: string; reason: string })[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = relative(folder, file).split(sep).join("/");
    if (!entry.isFile()) found.push({ path, reason: translator("importing")("reason.noOrdinaryFile") });
    else {
      const { size, mtimeMs } = await lstat(file);
      found.push({ path, bytes: size, changedAt: mtimeMs, read: () => readFile(file) });
    }
    if (found.length > sourceMaximum.files) throw tooManyFiles();
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}

async function isZip(path: string): Promise<boolean> {
  const handle = await open(path, "r");
  try {
    const { buffer: start, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && start.readUInt32BE() === 0x504b0304;
  } finally {
    await handle.close();
  }
}

/**
 * Opens a ZIP archive.
 * The library refuses absolute paths, "..", and entries that unpack to more than they say.
 */
async function openZip(path: string): Promise<Source> {
  const handle = await open(path, "r");
  try {
    const zip = await new Promise<ZipFile>((resolve, reject) => {
      const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true };
      fromFd(handle.fd, options, (error, opened) => (error ? reject(error) : resolve(opened)));
    });
    const entries = await entriesOf(zip);
    return sourceOf(
      entries.map((entry) => fileOf(zip, entry)).filter((file) => file !== undefined),
      () => handle.close(),
    );
  } catch (error) {
    await handle.close();
    if (error instanceof Failure || !(error instanceof Error)) throw error;
    throw new Failure(translator("importing")("failure.unreadable"));
  }
}

function entriesOf(zip: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    zip.on("entry", (entry: Entry) => {
      entries.push(entry);
      if (entries.length > sourceMaximum.files) reject(tooManyFiles());
      else zip.readEntry();
    });
    zip.once("end", () => resolve(entries));
    zip.once("error", reject);
    zip.readEntry();
  });
}

function fileOf(zip: ZipFile, entry: Entry): SourceFile | { path: string; reason: string } | undefined {
  const path = entry.fileName;
  if (path.endsWith("/")) return undefined;
  const t = translator("importing");
  if (isSymbolicLink(entry)) return { path, reason: t("reason.noOrdinaryFile") };
  if (entry.isEncrypted()) return { path, reason: t("reason.encrypted") };
  return {
    path,
    bytes: entry.uncompressedSize,
    changedAt: entry.getLastModDate().getTime(),
    read: () =>
      new Promise((resolve, reject) => {
        zip.openReadStream(entry, (error, stream) => {
          if (error) reject(error);
          else buffer(stream).then(resolve, reject);
        });
      }),
  };
}

/** Made by a Unix system, with the mode of a link. */
function isSymbolicLink({ versionMadeBy, externalFileAttributes }: Entry): boolean {
  return versionMadeBy >> 8 === 3 && ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;
}

function tooManyFiles(): Failure {
  return new Failure(translator("importing")("failure.tooManyFiles", { maximum: sourceMaximum.files }));
}

function inMegabytes(bytes: number): number {
  return bytes / 1024 / 1024;
}

/** The text of a file, or that it cannot be read. */
export async function textOf(file: SourceFile): Promise<string | Extract<Found, { kind: "unreadable" }>> {
  const bytes = await file.read().catch(() => undefined);
  if (bytes) return bytes.toString("utf8");
  return { kind: "unreadable", source: file.path, reason: translator("importing")("reason.damaged") };
}
