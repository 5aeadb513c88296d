import { expect, test } from "vitest";
import { atomFeed } from "./atom";

test("leaves out the characters that XML 1.0 forbids, and keeps all others", () => {
  const title = "a\u0000\u0007\u000B\uFFFE\uFFFF\uD800b \t\n\r\u0085😀\uFFFD<";
  const icon = { small: "/s.png", large: "/l.png" };
  const feed = { origin: "", title, path: "/", self: "/feed.xml", lang: "en", icon, entries: [] };
  expect(atomFeed(feed)).toContain("<title>ab \t\n\r\u0085😀\uFFFD&lt;</title>");
});

test("an entry has its language, summary and author, and the feed its icon", () => {
  const entry = {
    path: "/posts/weir",
    title: "سد",
    lang: "fa",
    excerpt: "آب & سنگ",
    image: undefined,
    author: { name: "ada", path: "/users/ada" },
    publishedAt: 0,
    updatedAt: 0,
    tags: [],
    content: undefined,
  };
  const origin = "https://example.org";
  const icon = { small: "/small.png", large: "/large.png" };
  const unknown = { ...entry, lang: null, excerpt: null };
  const entries = [entry, unknown];
  const xml = atomFeed({ origin, title: "Weir", path: "/", self: "/feed.xml", lang: "en", icon, entries });
  expect(xml).toContain("<icon>https://example.org/small.png</icon>");
  expect(xml).toContain('<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">');
  const [, persian, other] = xml.split("<entry");
  expect(persian).toMatch(/^ xml:lang="fa">/);
  expect(persian).toContain("<summary>آب &amp; سنگ</summary>");
  expect(persian).toContain("<author><name>ada</name><uri>https://example.org/users/ada</uri></author>");
  // Not the feed's language, which it would inherit.
  expect(other).toMatch(/^ xml:lang="">/);
  expect(other).not.toContain("<summary>");
});
