import { expect, test } from "vitest";
import type { Open } from "./setting.ts";

export function siteSettingContract(open: Open): void {
  test("settings are saved, replaced and removed by name", async () => {
    const { siteSettings, transaction } = await open();
    const save = (values: Record<string, string | null>) =>
      transaction(() => siteSettings.save(new Map(Object.entries(values))));
    expect(await siteSettings.all()).toEqual(new Map());
    await save({ SITE_NAME: "Still Water", SITE_TAGLINE: "دربارهٔ آب", HOME_LAYOUT: null });
    await save({ SITE_NAME: "Quiet Water", SITE_TAGLINE: null });
    expect(await siteSettings.all()).toEqual(new Map([["SITE_NAME", "Quiet Water"]]));
    await save({});
    expect(await siteSettings.all()).toEqual(new Map([["SITE_NAME", "Quiet Water"]]));
  });
}
