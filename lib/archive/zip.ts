/** ZIP archives, written as they are read: one file at a time is in memory. */
import { once } from "node:events";
import { Readable } from "node:stream";
import { ZipFile } from "yazl";

export interface ArchiveFile {
  /** Its path in the archive, with slashes. */
  path: string;
  content: string | AsyncIterable<string | Uint8Array>;
  /** When it was changed, in milliseconds. */
  changedAt: number;
  /** Whether it is compressed already, as images are. */
  isCompressed?: boolean;
}

/**
 * The archive of these files.
 * The next file is read when the one before is written, as fast as the archive is read; destroying the stream ends it.
 */
export function zipOf(files: AsyncIterable<ArchiveFile>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream;
  if (!(output instanceof Readable)) throw new Error("The library's types call it less than it is");
  const ended = new AbortController();
  zip.on("error", (error: Error) => output.destroy(error));
  output.once("close", () => ended.abort());
  writeAll(zip, files, ended.signal).catch((error: unknown) => {
    if (!ended.signal.aborted) output.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  return output;
}

async function writeAll(zip: ZipFile, files: AsyncIterable<ArchiveFile>, signal: AbortSignal): Promise<void> {
  for await (const { path, content, changedAt, isCompressed = false } of files) {
    signal.throwIfAborted();
    const source = Readable.from(typeof content === "string" ? [content] : content, { objectMode: false });
    zip.addReadStream(source, path, { mtime: new Date(changedAt), compress: !isCompressed });
    try {
      await once(source, "close", { signal });
    } finally {
      source.destroy();
    }
  }
  zip.end();
}

/** The items of a list as one JSON array, an item on each line. */
export async function* jsonArray(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const item of items) {
    yield `${isFirst ? "[\n" : ",\n"}  ${JSON.stringify(item)}`;
    isFirst = false;
  }
  yield isFirst ? "[]\n" : "\n]\n";
}

/** A value as JSON for people. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
