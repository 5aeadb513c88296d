import { expect, test } from "vitest";
import { pageChoices } from "./page-choices.ts";

const site = { trustedHops: 1, siteLocale: "fa" } as const;

test.each([
  [{}, "fa", undefined],
  [{ "accept-language": "en", cookie: "theme=dark" }, "en", "dark"],
  [{ cookie: "language=en;theme=light" }, "en", "light"],
  [{ cookie: "theme=; theme=dark" }, "fa", undefined],
  [{ cookie: "theme=%64ark" }, "fa", undefined],
  [{ cookie: "Theme=dark" }, "fa", undefined],
])("the request with %j gets %s and %s", (headers, locale, theme) => {
  expect(pageChoices(headers, site)).toEqual({ locale, theme });
});

const sent = { "accept-language": "en", cookie: "language=en; theme=dark" };

test("a trusted proxy's decision counts before the cookies and the browser's language", () => {
  const decided = (language: string, theme: string) =>
    pageChoices({ ...sent, "x-page-language": language, "x-page-theme": theme }, site);
  expect(decided("fa", "light")).toEqual({ locale: "fa", theme: "light" });
  expect(decided("site", "device")).toEqual({ locale: "fa", theme: undefined });
});

test("without a trusted proxy its headers have no effect", () => {
  const forged = { ...sent, "x-page-language": "fa", "x-page-theme": "light" };
  expect(pageChoices(forged, { ...site, trustedHops: 0 })).toEqual({ locale: "en", theme: "dark" });
});
