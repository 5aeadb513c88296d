/** `npm run user -- export NAME FILE.zip` */
import { Failure } from "../../db/failure.ts";
import type { Database } from "../../db/index.ts";
import { exportAccountByOperator } from "../../lib/account-export/index.ts";
import { zipOf } from "../../lib/archive/zip.ts";
import { mediaFolder } from "../../lib/media/folder.ts";
import { sessionLifetimesFrom } from "../../lib/sessions/lifetimes.ts";
import { mediaFolderPath } from "../../lib/settings/data-folder.ts";
import { env } from "../../lib/settings/env.ts";
import { fileFrom, type OperationOutcome } from "../operation.ts";
import { writeArchive } from "../write-archive.ts";

/** Writes a user's own data to a file, on record. */
export async function exportUser(
  { database }: { database: Database },
  { username, file, force }: { username: string; file: string; force: boolean },
  now: number,
): Promise<OperationOutcome> {
  const target = fileFrom(file);
  const sessionLifetimes = sessionLifetimesFrom(env);
  const context = { database, sessionLifetimes, mediaFolder: mediaFolder(mediaFolderPath(env)) };
  await writeArchive(
    target,
    async () => {
      const outcome = await exportAccountByOperator(context, { username, now });
      if (outcome.kind === "no-such-user") throw new Failure(`There is no user ${username}.`);
      return zipOf(outcome.files);
    },
    { force },
  );
  return { json: { username, target }, lines: [`The data of ${username} is in ${target}.`] };
}
