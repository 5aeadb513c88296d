import { expect, test } from "vitest";
import { atomFeed } from "./atom";

test("leaves out the characters that XML 1.0 forbids, and keeps all others", () => {
  const title = "a\u0000\u0007\u000B\uFFFE\uFFFF\uD800b \t\n\r\u0085😀\uFFFD<";
  const icon = { small: "/s.png", large: "/l.png" };
  const feed = { origin: "", title, path: "/", self: "/feed.xml", lang: "en", icon, entries: [] };
  expect(atomFeed(feed)).toContain("<title>ab \t\n\r\u0085😀\uFFFD&lt;</title>");
});
