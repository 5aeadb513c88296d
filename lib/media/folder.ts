/**
 * The folder with the files of images.
 * Several nodes share one. Files are never changed: each is written under a name that no client knows before its row in
 * the database is saved, so none needs another name meanwhile.
 */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, mkdir, open, opendir, readFile, rename, rm, stat, statfs } from "node:fs/promises";
import { join, resolve } from "node:path";
import { errorCode } from "../../db/error-code.ts";
import { Failure } from "../../db/failure.ts";
import { makePrivateFolderOf } from "../../db/private-files.ts";
import { databaseIdFile } from "../../db/types.ts";
import { errorMessage } from "../logging/error-message.ts";
import { fileName } from "./address.ts";
import type { EncodedFile } from "./encode.ts";

/** So much of the disk is left to the database and the system. */
export const reservedBytes = 256 * 1024 * 1024;

interface MediaFile {
  /** The name of its image. */
  image: string;
  file: string;
}

export interface MediaFolder {
  path: string;
  /**
   * Creates the folder when it is absent, and writes a file to it.
   * Rejects when it cannot.
   */
  prepare(): Promise<void>;
  /**
   * The id of the folder's database; undefined while it has none.
   * Rejects with a `Failure` when it cannot be read.
   */
  databaseId(): Promise<string | undefined>;
  /** Makes the folder a database's; rejects with a `Failure` when it cannot. */
  saveDatabaseId(id: string): Promise<void>;
  /** Writes files to the disk; when one cannot be written, none is left. */
  write(image: string, files: readonly EncodedFile[]): Promise<void>;
  /** The files in the folder; others than images' are left out. */
  list(): AsyncGenerator<MediaFile>;
  remove(files: readonly string[]): Promise<void>;
  /** When a file was written, in milliseconds; undefined when there is none. */
  writtenAt(file: string): Promise<number | undefined>;
  /** The time by the clock that writes the files' times, in milliseconds. */
  time(): Promise<number>;
  /** Free space on the folder's disk, in bytes. */
  freeBytes(): Promise<number>;
}

export function mediaFolder(folder: string): MediaFolder {
  const path = resolve(/* turbopackIgnore: true */ folder);
  const fileAt = (file: string) => join(path, file);

  async function write(file: string, bytes: Uint8Array): Promise<void> {
    const handle = await open(fileAt(file), "wx", 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  async function syncFolder(): Promise<void> {
    const handle = await open(path, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  async function remove(files: readonly string[]): Promise<void> {
    for (const file of files) await rm(fileAt(file), { force: true });
  }

  return {
    path,
    async prepare() {
      makePrivateFolderOf(path);
      await mkdir(path, { recursive: true, mode: 0o700 });
      await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
      await this.time();
    },
    async databaseId() {
      try {
        return (await readFile(fileAt(databaseIdFile), "utf8")).trim();
      } catch (error) {
        if (errorCode(error) === "ENOENT") return undefined;
        throw new Failure(`${fileAt(databaseIdFile)} cannot be read (${errorMessage(error)})`);
      }
    },
    async saveDatabaseId(id) {
      const unfinished = `unfinished-${randomUUID()}`;
      try {
        await write(unfinished, Buffer.from(`${id}\n`));
        await rename(fileAt(unfinished), fileAt(databaseIdFile));
        await syncFolder();
      } catch (error) {
        throw new Failure(`${fileAt(databaseIdFile)} cannot be written (${errorMessage(error)})`);
      }
    },
    async write(image, files) {
      const names = files.map(({ ending }) => `${image}-${ending}`);
      try {
        for (const { ending, bytes } of files) await write(`${image}-${ending}`, bytes);
        await syncFolder();
      } catch (error) {
        await remove(names);
        throw error;
      }
    },
    async *list() {
      for await (const entry of await opendir(path)) {
        const [, image] = fileName.exec(entry.name) ?? [];
        if (image !== undefined && entry.isFile()) yield { image, file: entry.name };
      }
    },
    remove,
    async writtenAt(file) {
      try {
        return (await stat(fileAt(file))).mtimeMs;
      } catch (error) {
        if (errorCode(error) === "ENOENT") return undefined;
        throw new Failure(`${fileAt(file)} cannot be read (${errorMessage(error)})`);
      }
    },
    async time() {
      const probe = `writable-${randomUUID()}`;
      await write(probe, Buffer.from("x"));
      const { mtimeMs } = await stat(fileAt(probe));
      await remove([probe]);
      return mtimeMs;
    },
    async freeBytes() {
      const { bavail, bsize } = await statfs(path);
      return bavail * bsize;
    },
  };
}
