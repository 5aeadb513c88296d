import { expect, test } from "vitest";
import { negotiateLocale } from "./negotiate.ts";

test.each([
  [undefined, "en"],
  ["", "en"],
  ["fa", "fa"],
  ["fa-IR,en;q=0.8", "fa"],
  ["en-US,fa;q=0.9", "en"],
  ["en;q=0.2, fa;q=0.9", "fa"],
  ["de, fr", "en"],
  ["de, fa;q=0.1", "fa"],
  ["*", "en"],
  ["fa;q=0", "en"],
  [",;q=,=", "en"],
  [`fa;q=0.5,${"x,".repeat(20_000)}`, "fa"],
])("a request that accepts %j gets %s on an English site", (accepted, expected) => {
  expect(negotiateLocale({ "accept-language": accepted }, ["en", "fa"])).toBe(expected);
});

test("a request that accepts no language of the interface gets the site's", () => {
  expect(negotiateLocale({ "accept-language": "de" }, ["fa", "en"])).toBe("fa");
  expect(negotiateLocale({}, ["fa", "en"])).toBe("fa");
  expect(negotiateLocale({ "accept-language": "*" }, ["fa", "en"])).toBe("fa");
});

test.each([
  ["language=fa", "fa"],
  ["theme=dark; language=fa; other=1", "fa"],
  ["language=de", "en"],
  ["xlanguage=fa", "en"],
  ["language=fax", "en"],
])("the cookie %j gives %s where English is accepted", (cookie, expected) => {
  expect(negotiateLocale({ cookie, "accept-language": "en" }, ["en", "fa"])).toBe(expected);
});

test("a language that the site does not offer is not given", () => {
  expect(negotiateLocale({ cookie: "language=fa", "accept-language": "fa" }, ["en"])).toBe("en");
  expect(negotiateLocale({ cookie: "language=fa", "accept-language": "fa" }, ["en", "fa"])).toBe("fa");
});
