import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { newDatabases } from "../../testing/both-databases.ts";
import { addUser, morning } from "../../testing/content.ts";
import { temporaryDatabase, temporaryFolder } from "../../testing/database.ts";
import { iconAddress, imageAddress, mediaPath } from "../media/address.ts";
import { createImageEncoder } from "../media/encoder.ts";
import { mediaFolder } from "../media/folder.ts";
import { removeImage } from "../media/index.ts";
import { pageChanges } from "../request/page-changes.ts";
import { removeSiteImage, uploadSiteImage } from "./images.ts";
import { refreshSiteSettings, siteImages } from "./index.ts";
import type { SiteImageName } from "./schema.ts";

const imageEncoder = createImageEncoder({ wallMaximumMs: 600_000 });
let file: Uint8Array;
beforeAll(async () => {
  file = await sharp({ create: { width: 60, height: 20, channels: 3, background: "#88aacc" } })
    .png()
    .toBuffer();
});

describe.each(newDatabases)("logo and icon on %s", (_, open) => {
  async function setting() {
    const empty = temporaryDatabase();
    const database = await open();
    onTestFinished(() => refreshSiteSettings(empty));
    const folder = mediaFolder(join(temporaryFolder(), "media"));
    await folder.prepare();
    const context = { database, mediaFolder: folder, imageEncoder };
    const actor = await addUser(database, "alder", { isAdministrator: true });
    const upload = (name: SiteImageName, change: object = {}) =>
      uploadSiteImage(context, { actor, name, file, now: morning, ...change });
    return { context, database, actor, upload, files: () => readdirSync(folder.path) };
  }

  test("take effect immediately, with their files, end copies of pages and are on record", async () => {
    const { context, database, upload } = await setting();
    const before = pageChanges();
    expect(await upload("SITE_LOGO")).toEqual({ kind: "saved" });
    expect(siteImages().SITE_LOGO).toMatchObject({ width: 60, height: 20 });
    expect(pageChanges()).toBe(before + 1);
    expect(await upload("SITE_ICON")).toEqual({ kind: "saved" });
    const icon = siteImages().SITE_ICON ?? expect.fail();
    const path = join(context.mediaFolder.path, iconAddress(icon, 192).slice(mediaPath.length));
    const { width, height, format, hasAlpha } = await sharp(path).metadata();
    expect({ width, height, format, hasAlpha }).toEqual({
      width: 192,
      height: 192,
      format: "png",
      hasAlpha: true,
    });
    expect((await database.accountChanges.latest(9, undefined, "all")).map(({ why }) => why)).toEqual([
      "SITE_ICON",
      "SITE_LOGO",
    ]);
  });

  test("replace the ones before and are removed, with their files", async () => {
    const { context, database, actor, upload, files } = await setting();
    await upload("SITE_ICON");
    const first = files();
    await upload("SITE_ICON");
    expect(files()).toHaveLength(first.length);
    expect(files().some((name) => first.includes(name))).toBe(false);
    const change = { actor, name: "SITE_ICON", now: morning } as const;
    expect(await removeSiteImage(context, change)).toEqual({ kind: "saved" });
    expect([siteImages().SITE_ICON, files()]).toEqual([undefined, []]);
    expect(await database.media.after(0, 9)).toEqual([]);
    const records = async () => (await database.accountChanges.latest(9, undefined, "all")).length;
    const recorded = await records();
    expect(await removeSiteImage(context, change)).toEqual({ kind: "saved" });
    expect(await records()).toBe(recorded);
  });

  test("uploaded by two administrators at once are one image", async () => {
    const { database, upload, files } = await setting();
    await Promise.all([upload("SITE_LOGO"), upload("SITE_LOGO")]);
    const saved = (await database.siteSettings.all()).get("SITE_LOGO");
    expect((await database.media.after(0, 9)).map(imageAddress)).toEqual([saved]);
    expect(files()).toHaveLength(2);
  });

  test("are changed by administrators only, and not as an ordinary image", async () => {
    const { context, database, actor, upload, files } = await setting();
    await upload("SITE_LOGO");
    const kept = files();
    const claimed = { ...(await addUser(database, "birch", { isModerator: true })), isAdministrator: true };
    expect(await upload("SITE_LOGO", { actor: claimed })).toEqual({ kind: "forbidden" });
    const change = { actor: claimed, name: "SITE_LOGO", now: morning } as const;
    expect(await removeSiteImage(context, change)).toEqual({ kind: "forbidden" });
    const [image] = await database.media.after(0, 9);
    expect(await removeImage(context, { user: actor, id: image?.id ?? 0 })).toEqual({
      kind: "no-such-image",
    });
    expect(files()).toEqual(kept);
  });

  test("that are not images are refused, and the one before stays", async () => {
    const { context, upload } = await setting();
    await upload("SITE_LOGO");
    const before = siteImages().SITE_LOGO ?? expect.fail();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>');
    expect(await upload("SITE_LOGO", { file: svg })).toMatchObject({ kind: "invalid" });
    expect(await upload("SITE_LOGO", { file: undefined })).toMatchObject({ kind: "invalid" });
    expect(siteImages().SITE_LOGO).toEqual(before);
    expect(existsSync(join(context.mediaFolder.path, imageAddress(before).slice(mediaPath.length)))).toBe(
      true,
    );
  });
});
