import { expect, onTestFinished, test } from "vitest";
import { temporaryDatabase } from "../../testing/database.ts";
import { pageChanges } from "../request/page-changes.ts";
import { parseSettings } from "../settings/env.ts";
import { refreshSiteSettings, settingsFrom, siteSettings, textOf } from "./index.ts";
import { footerLinksFrom, invalidSettings, siteDefaults, siteFields } from "./schema.ts";

test("the environment takes precedence over saved settings, and these over the defaults", () => {
  const environment = parseSettings({
    SITE_NAME: "From the environment",
    FOOTER_LINKS: "Source https://a.example",
  });
  const saved = new Map([
    ["SITE_NAME", "Saved"],
    ["SITE_TAGLINE", "Saved line"],
    ["REGISTRATION", "invitation"],
  ]);
  expect(settingsFrom(saved, environment)).toEqual({
    ...siteDefaults,
    SITE_NAME: "From the environment",
    SITE_TAGLINE: "Saved line",
    REGISTRATION: "invitation",
    FOOTER_LINKS: [{ label: "Source", address: "https://a.example" }],
  });
  expect(settingsFrom(new Map(), parseSettings({}))).toEqual(siteDefaults);
});

test("ignores a saved value that this version cannot read, and opens nothing", () => {
  const saved = new Map([
    ["SITE_NAME", "Still Water"],
    ["HOME_LAYOUT", "cards"],
    ["REGISTRATION", "Invitation"],
    ["WHO_MAY_WRITE", "Approved"],
    ["FROM_THE_FUTURE", "x"],
    ["toString", "x"],
  ]);
  expect(invalidSettings(saved)).toEqual([
    "HOME_LAYOUT",
    "REGISTRATION",
    "WHO_MAY_WRITE",
    "FROM_THE_FUTURE",
    "toString",
  ]);
  expect(settingsFrom(saved, {})).toEqual({
    ...siteDefaults,
    SITE_NAME: "Still Water",
    REGISTRATION: "closed",
    WHO_MAY_WRITE: "invited",
  });
});

test("the site's language is one of those that it offers, wherever each is set", () => {
  const languages = (saved: Record<string, string>, environment: Record<string, string>) => {
    const settings = settingsFrom(new Map(Object.entries(saved)), parseSettings(environment));
    return [settings.SITE_LANGUAGE, ...settings.SITE_LANGUAGES];
  };
  expect(languages({}, {})).toEqual(["en", "en", "fa"]);
  expect(languages({}, { SITE_LANGUAGES: "fa" })).toEqual(["fa", "fa"]);
  expect(languages({ SITE_LANGUAGE: "en" }, { SITE_LANGUAGES: "fa" })).toEqual(["fa", "fa"]);
  expect(languages({ SITE_LANGUAGES: "fa" }, { SITE_LANGUAGE: "en" })).toEqual(["en", "en", "fa"]);
  expect(() => parseSettings({ SITE_LANGUAGE: "en", SITE_LANGUAGES: "fa" })).toThrow("SITE_LANGUAGE");
  expect(() => parseSettings({ SITE_LANGUAGES: "fa, de" })).toThrow("SITE_LANGUAGES");
});

test("a change by another process takes effect at the next read, and ends copies of pages once", async () => {
  const database = temporaryDatabase();
  const empty = temporaryDatabase();
  onTestFinished(() => refreshSiteSettings(empty));
  await refreshSiteSettings(database);
  const before = pageChanges();
  await database.siteSettings.save(new Map([["SITE_NAME", "Still Water"]]));
  await Promise.all([refreshSiteSettings(database), refreshSiteSettings(database)]);
  expect(siteSettings().SITE_NAME).toBe("Still Water");
  expect(pageChanges()).toBe(before + 1);
});

test("an older read does not replace a newer one", async () => {
  const empty = temporaryDatabase();
  onTestFinished(() => refreshSiteSettings(empty));
  const { promise: held, resolve: release } = Promise.withResolvers<Map<string, string>>();
  const named = (name: string) => new Map([["SITE_NAME", name]]);
  const slow = refreshSiteSettings({ siteSettings: { ...empty.siteSettings, all: () => held } });
  const quick = refreshSiteSettings({
    siteSettings: { ...empty.siteSettings, all: async () => named("Newer") },
  });
  release(named("Older"));
  await Promise.all([slow, quick]);
  expect(siteSettings().SITE_NAME).toBe("Newer");
});

test("a failed read keeps the settings, and the next read is another try", async () => {
  const database = temporaryDatabase();
  const empty = temporaryDatabase();
  onTestFinished(() => refreshSiteSettings(empty));
  await database.siteSettings.save(new Map([["SITE_NAME", "Still Water"]]));
  await refreshSiteSettings(database);
  const all = () => Promise.reject(new Error("out of reach"));
  await expect(refreshSiteSettings({ siteSettings: { ...empty.siteSettings, all } })).rejects.toThrow();
  expect(siteSettings().SITE_NAME).toBe("Still Water");
  await refreshSiteSettings(empty);
  expect(siteSettings().SITE_NAME).toBe("Weir");
});

test.each([
  ["About us /posts/about", [{ label: "About us", address: "/posts/about" }]],
  [
    "دربارهٔ ما https://example.org/درباره\r\n\n  Write\tmailto:a@example.org ",
    [
      { label: "دربارهٔ ما", address: "https://example.org/درباره" },
      { label: "Write", address: "mailto:a@example.org" },
    ],
  ],
])("the footer links %j are read, and written as they are read", (text, links) => {
  expect(footerLinksFrom(text)).toEqual(links);
  expect(footerLinksFrom(textOf("FOOTER_LINKS", { FOOTER_LINKS: links }))).toEqual(links);
});

test("footer links that are given twice count once", () => {
  expect(footerLinksFrom("A /a\nB /b\n A   /a")).toEqual([
    { label: "A", address: "/a" },
    { label: "B", address: "/b" },
  ]);
});

test.each([
  ["می‌خواهم", true],
  ["👩‍💻", true],
  ["\u200b\u200d", false],
  ["\u2066x", false],
  ["\u202egnp.exe", false],
])("the name %j is taken: %s", (text, isTaken) => {
  expect(siteFields.SITE_NAME.safeParse(text).success).toBe(isTaken);
  expect(siteFields.SITE_TAGLINE.safeParse(text).success).toBe(isTaken);
  expect(siteFields.FOOTER_LINKS.safeParse(`${text} /about`).success).toBe(isTaken);
});

test.each([
  "https://example.org",
  "About",
  "Elsewhere //evil.example",
  "Elsewhere /\\evil.example",
  "Script javascript:alert(1)",
  "Data data:text/html,x",
  "Mail mailto:nobody",
  "Nothing https://",
  "Control https://e.example/\u0000x",
  "Half https://e.example/\ud800x",
  "Control /\u0001",
  "Hidden /a\u202eb",
  "Backslash https:\\\\e.example",
  "Backslash /a\\b",
  "Somebody https://bank.example@e.example/",
  "Password https://me:secret@e.example/",
  `${"x".repeat(41)} /about`,
  Array.from({ length: 9 }, (_, index) => `Link /${index}`).join("\n"),
])("the footer links %j are refused", (text) => {
  expect(siteFields.FOOTER_LINKS.safeParse(text).success).toBe(false);
});

test.each([
  ["ACCENT_COLOUR", "#1D5F8C", true],
  ["ACCENT_COLOUR", "#82bbe0", false],
  // Readable on the page, but not on the background of code.
  ["ACCENT_COLOUR", "#94694a", false],
  ["ACCENT_COLOUR_DARK", "#6d849a", false],
  ["ACCENT_COLOUR", "blue", false],
  ["ACCENT_COLOUR_DARK", "#82bbe0", true],
  ["ACCENT_COLOUR_DARK", "#1d5f8c", false],
] as const)("%s=%s is readable on its backgrounds: %s", (name, colour, isReadable) => {
  expect(siteFields[name].safeParse(colour).success).toBe(isReadable);
});
