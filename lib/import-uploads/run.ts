/**
 * Imports that administrators begin on a page.
 * Each runs in a process of its own, so that neither its memory nor its time are the server's.
 */
import { fork } from "node:child_process";
import { join } from "node:path";
import type { Database } from "../../db/index.ts";
import type { Locale } from "../i18n/locale.ts";
import { log } from "../logging/log.ts";
import { currentLocale } from "../request/current-request.ts";
import { asActingAdministrator } from "../users/permissions.ts";
import { type Actor, administrator } from "../users/roles.ts";
import type { User } from "../users/types.ts";
import { createImportStart } from "./import-lock.ts";
import type { ImportFormat } from "./kinds.ts";
import { archiveAt, type ImportsFolder, newReport } from "./uploads.ts";

const program = join(/* turbopackIgnore: true */ process.cwd(), "lib/import/worker.ts");
/**
 * The heap of an import's process.
 * It fits beside the server's in the memory of its container (deploy/compose.yaml).
 */
export const memoryMaximumMb = 640;

/** The input of the process of an import. */
export interface ImportTask {
  archive: string;
  id: string;
  format: ImportFormat;
  isTrial: boolean;
  authors: { name: string; account: string }[];
  /** The administrator who began it. */
  by: Actor;
  /** The language of the report. */
  locale: Locale;
  /** When it was begun, in milliseconds. */
  now: number;
}

interface ImportStart {
  actor: User;
  id: string;
  format: ImportFormat;
  isTrial: boolean;
  /** The accounts of the authors, by their names in the archive. */
  authors: readonly { name: string; account: string }[];
  now: number;
}

/** Begins an import, or a trial, of an uploaded archive; its report follows. */
export async function startImport(
  { database, mediaFolder }: { database: Database; mediaFolder: ImportsFolder },
  { actor, id, format, isTrial, authors, now }: ImportStart,
): Promise<{ kind: "started" } | { kind: "forbidden" } | { kind: "nothing-there" } | { kind: "running" }> {
  const archive = await archiveAt(mediaFolder, id);
  if (!archive) return { kind: "nothing-there" };
  const begin = createImportStart(mediaFolder, id, newReport({ format, isTrial, at: now }));
  const outcome = await asActingAdministrator(database, actor, async () => {
    if (!(await begin(database))) return { kind: "running" } as const;
    const change = { kind: "import-posts", at: now, ...administrator(actor), why: null } as const;
    if (!isTrial) await database.accountChanges.record(change, []);
    return { kind: "started" } as const;
  });
  if (outcome.kind !== "started") return outcome;
  const task: ImportTask = {
    archive,
    id,
    format,
    isTrial,
    authors: [...authors],
    by: administrator(actor),
    locale: currentLocale(),
    now,
  };
  const child = fork(program, [], {
    execArgv: [`--max-old-space-size=${memoryMaximumMb}`],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  // Then its report stays unfinished, and shows it.
  child.once("error", (error) => log.error({ err: error }, "the process of an import could not be started"));
  child.once("exit", (code, signal) => {
    if (code !== 0) log.error({ code, signal }, "the process of an import ended unexpectedly");
  });
  // As a message: the authors' names may be longer than an argument can be.
  child.send(task, (error) => {
    if (error) log.error({ err: error }, "an import could not be sent to its process");
  });
  child.unref();
  child.channel?.unref();
  return outcome;
}
