/** The whole site as files that any program reads: Markdown, JSON and images. */
import type { Database } from "../../db/index.ts";
import { earlierVersionsFile } from "../archive/earlier-versions.ts";
import { describeImage, imageFiles } from "../archive/image-files.ts";
import { postFiles } from "../archive/post-file.ts";
import { type ArchiveFile, jsonArray, jsonText } from "../archive/zip.ts";
import { checkLimits } from "../limits/check-limits.ts";
import type { Limits } from "../limits/index.ts";
import type { Guard, Refused } from "../limits/types.ts";
import { subscribersCsv } from "../mail/subscriber-list.ts";
import { imageAddress } from "../media/address.ts";
import type { MediaFolder } from "../media/folder.ts";
import { rowsOf } from "../paging/rows-of.ts";
import { type SiteSettings, siteImageNames, siteImagesFrom } from "../site/schema.ts";
import { isActingAdministrator } from "../users/permissions.ts";
import { administrator } from "../users/roles.ts";
import type { User } from "../users/types.ts";

/** Rows that are read at a time. */
const pageSize = 500;

interface SiteExport {
  database: Database;
  mediaFolder: Pick<MediaFolder, "path" | "writtenAt">;
  settings: SiteSettings;
  now: number;
  /** Whether the email addresses of users and subscribers are in it. */
  includesEmails: boolean;
}

interface SiteExportContext extends Pick<SiteExport, "database" | "mediaFolder" | "settings"> {
  guard: Guard;
  limits: Limits;
}

/** The whole site's files, for administrators; on record. */
export async function exportSite(
  { guard, limits, ...site }: SiteExportContext,
  { actor, address, ...given }: { actor: User; address: string } & Pick<SiteExport, "includesEmails" | "now">,
): Promise<{ kind: "ready"; files: AsyncIterable<ArchiveFile> } | { kind: "forbidden" } | Refused> {
  const { database } = site;
  if (!(await isActingAdministrator(database, actor))) return { kind: "forbidden" };
  const checked = await checkLimits(guard, {
    client: { address, username: actor.username },
    checks: [[limits["export.user"], actor.id]],
    now: given.now,
  });
  if (checked.kind !== "allowed") return checked;
  const kind = given.includesEmails ? "export-site-with-emails" : "export-site";
  const change = { kind, at: given.now, ...administrator(actor), why: null } as const;
  await database.transaction(() => database.accountChanges.record(change, []));
  return { kind: "ready", files: siteFiles({ ...site, ...given }) };
}

/** The site's files; never passwords, sessions or raters' names. */
export async function* siteFiles(site: SiteExport): AsyncGenerator<ArchiveFile> {
  const { database, mediaFolder, now } = site;
  const list = (path: string, items: AsyncIterable<unknown>) => ({
    path,
    changedAt: now,
    content: jsonArray(items),
  });
  const settings = { ...site.settings, ...(await siteImagePaths(database)) };
  const about = { exportedAt: new Date(now).toISOString(), settings };
  yield { path: "site.json", changedAt: now, content: jsonText(about) };
  yield list("users.json", usersOf(site));
  if (site.includesEmails)
    yield { path: "subscribers.csv", changedAt: now, content: subscribersCsv(database) };
  yield* postFiles(database);
  yield earlierVersionsFile(database, now);
  yield list("scores.json", scoresOf(database));
  yield list("media.json", described(database));
  yield* imageFiles(mediaFolder, imagesOf(database));
}

/** The paths of the site's logo and icon in the archive. */
async function siteImagePaths({ siteSettings }: Pick<Database, "siteSettings">) {
  const images = siteImagesFrom(await siteSettings.all());
  return Object.fromEntries(
    siteImageNames.map((name) => {
      const image = images[name];
      return [name, image && imageAddress(image).slice(1)];
    }),
  );
}

async function* usersOf({ database, includesEmails }: SiteExport) {
  for await (const user of rowsOf(database.exports.users, pageSize)) {
    const { username, email, isAdministrator, isModerator, isWriter, disabledAt, createdAt } = user;
    yield {
      username,
      ...(includesEmails && { email }),
      registeredAt: new Date(createdAt).toISOString(),
      isAdministrator,
      isModerator,
      isWriter,
      isDisabled: disabledAt !== null,
    };
  }
}

/** Each post's score, and how many ratings there are of 0, 1, … 5 stars. */
async function* scoresOf({ exports }: Database) {
  for await (const { slug, settledScore, counts } of rowsOf(exports.scores, pageSize))
    yield { post: slug, score: settledScore, ratings: counts };
}

function imagesOf({ media }: Database) {
  return rowsOf(media.after, pageSize);
}

async function* described(database: Database) {
  for await (const image of imagesOf(database)) yield describeImage(image);
}
