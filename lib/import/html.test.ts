import { expect, test } from "vitest";
import { markdownFrom } from "./html.ts";

test("scripts, styles and frames are not in the Markdown", async () => {
  const html =
    '<p>a <b>b</b></p><script>alert(1)</script><style>p{}</style><iframe src="https://x.example"></iframe><svg><script>1</script></svg>';
  const markdown = await markdownFrom(html);
  expect(markdown).toContain("a **b**");
  expect(markdown).not.toMatch(/alert|<script|<style|<iframe/);
});

test("text that looks like HTML stays text", async () => {
  expect(await markdownFrom("<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>")).toBe(
    "\\<script>alert(1)\\</script>",
  );
});

test("HTML that is too long, too deep or too slow to convert has no Markdown, and the next one has", async () => {
  expect(await markdownFrom("x".repeat(1_000_001))).toBeUndefined();
  expect(await markdownFrom("<div>".repeat(100_000))).toBeUndefined();
  const nested = Array.from({ length: 1_000 }, (_, index) => `<b id=${index}>`).join("");
  expect(await markdownFrom(nested + "<p>x".repeat(1_000), 200)).toBeUndefined();
  expect(await markdownFrom("<p>x</p>")).toBe("x");
});

test("a base address, even a relative one, leaves links as they are", async () => {
  expect(await markdownFrom('<base href="/blog/"><a href="about">a</a>')).toBe("[a](about)");
});
