import { expect, test } from "vitest";
import { pageChoices } from "./page-choices.ts";

test.each([
  [{}, "fa", undefined],
  [{ "accept-language": "en", cookie: "theme=dark" }, "en", "dark"],
  [{ cookie: "language=en;theme=light" }, "en", "light"],
  [{ cookie: "theme=; theme=dark" }, "fa", undefined],
  [{ cookie: "theme=%64ark" }, "fa", undefined],
  [{ cookie: "Theme=dark" }, "fa", undefined],
])("the request with %j gets %s and %s", (headers, locale, theme) => {
  expect(pageChoices(headers, ["fa", "en"])).toEqual({ locale, theme });
});
