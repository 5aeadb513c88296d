import { expect, test } from "vitest";
import { omitScripts } from "./omit-scripts.ts";

const nonce = "mCnk78PSjHyk8tmi+/HzBg==";
const files = `<link rel="preload" as="script" fetchPriority="low" nonce="${nonce}" href="/_next/static/chunks/a.js"/><script src="/_next/static/chunks/b.js" async="" nonce="${nonce}"></script><script src="/_next/static/chunks/c.js" noModule="" nonce="${nonce}"></script>`;
const payload = `<script nonce="${nonce}" id="_R_">(globalThis["TURBOPACK"] || [])</script><script nonce="${nonce}">(self.__next_f=self.__next_f||[]).push([0])</script><script nonce="${nonce}">self.__next_f.push([1,"1:\\n\\u003c/script\\u003e"])</script>`;

test("removes the framework's script files and its data, and nothing else", () => {
  const rest = [
    `<html><head><link rel="preload" href="/font.woff2" as="font"/>`,
    `<script src="/post.js" async="" nonce="${nonce}"></script></head><body>`,
    `<script type="application/ld+json">{"headline":"self.__next_f.push("}</script>`,
    `<script nonce="${nonce}">$RC("B:0","S:0")</script></body></html>`,
  ];
  const [head, own, data, completion] = rest;
  expect(omitScripts(`${head}${files}${own}${data}${payload}${completion}`, nonce)).toBe(rest.join(""));
});

test.each([
  `<a title="<script>self.__next_f.push("></a><a title="</script>"></a>`,
  `<a title="<script nonce='${nonce}'>self.__next_f.push("></a><b></b></script>`,
  `<a title="<script nonce=&quot;${nonce}&quot;>self.__next_f.push("></a><b></b></script>`,
  `<script nonce="another">self.__next_f.push(1)</script>`,
  `<a title='<script src="/_next/static/a.js"></script>'></a>`,
])("keeps what looks like the framework's but lacks the page's nonce: %s", (html) => {
  expect(omitScripts(html, nonce)).toBe(html);
});
