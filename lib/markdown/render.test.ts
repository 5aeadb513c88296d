import fc from "fast-check";
import { expect, test } from "vitest";
import { fragments } from "../../testing/intricate-texts.ts";
import { renderMarkdown } from "./render.ts";
import { rendererVersion } from "./types.ts";

const text = `# First

## Second with *emphasis*, **strong**, ~~struck~~ and \`code\`

A line[^note] with a [link](https://example.org/?a=1&b=2 "A title"), <https://example.org>, www.example.org
and a break.\\
![A wall](/wall.png) ![](https://example.org/x.png)

![Water](/media/0123456789abcdefghijklmno-960x540.webp "At the weir")

![](/media/0123456789abcdefghijklmno-300x200-animated.webp)

- [x] done
- [ ] not done

3. three

> quoted

| a | b |
| - | -: |
| 1 | 2 |

\`\`\`js
if (a < b && c) return "d";
\`\`\`

---

[^note]: The note.
`;

/** Of the version below. */
const html = `<h2>First</h2>
<h3>Second with <em>emphasis</em>, <strong>strong</strong>, <del>struck</del> and <code>code</code></h3>
<p>A line<sup><a href="#user-content-fn-note" id="user-content-fnref-note" data-footnote-ref aria-describedby="footnote-label" rel="nofollow ugc noopener">1</a></sup> with a <a href="https://example.org/?a=1&#x26;b=2" title="A title" rel="nofollow ugc noopener">link</a>, <a href="https://example.org" rel="nofollow ugc noopener">https://example.org</a>, <a href="http://www.example.org" rel="nofollow ugc noopener">www.example.org</a>
and a break.<br>
<img src="/wall.png" alt="A wall" loading="lazy"> <img src="https://example.org/x.png" alt="" loading="lazy"></p>
<figure><picture><source type="image/avif" srcset="/media/0123456789abcdefghijklmno-480x270.avif 480w, /media/0123456789abcdefghijklmno-960x540.avif 960w" sizes="(min-width: 46rem) 42rem, 100vw"><source type="image/webp" srcset="/media/0123456789abcdefghijklmno-480x270.webp 480w, /media/0123456789abcdefghijklmno-960x540.webp 960w" sizes="(min-width: 46rem) 42rem, 100vw"><img src="/media/0123456789abcdefghijklmno-960x540.webp" alt="Water" width="960" height="540" decoding="async"></picture><figcaption>At the weir</figcaption></figure>
<p><picture><source type="image/webp" srcset="/media/0123456789abcdefghijklmno-300x200-animated.webp" media="(prefers-reduced-motion: no-preference)"><source type="image/avif" srcset="/media/0123456789abcdefghijklmno-300x200.avif 300w" sizes="(min-width: 46rem) 42rem, 100vw"><source type="image/webp" srcset="/media/0123456789abcdefghijklmno-300x200.webp 300w" sizes="(min-width: 46rem) 42rem, 100vw"><img src="/media/0123456789abcdefghijklmno-300x200-animated.webp" alt="" width="300" height="200" loading="lazy" decoding="async"></picture></p>
<ul class="contains-task-list">
<li class="task-list-item"><input type="checkbox" checked disabled aria-label="Done"> done</li>
<li class="task-list-item"><input type="checkbox" disabled aria-label="Not done"> not done</li>
</ul>
<ol start="3">
<li>three</li>
</ol>
<blockquote>
<p>quoted</p>
</blockquote>
<section class="overflow-x-auto" aria-label="Table" tabindex="0"><table dir="auto">
<thead>
<tr>
<th>a</th>
<th align="right">b</th>
</tr>
</thead>
<tbody>
<tr>
<td>1</td>
<td align="right">2</td>
</tr>
</tbody>
</table></section>
<pre tabindex="0"><code class="language-js"><span class="hljs-keyword">if</span> (a &#x3C; b &#x26;&#x26; c) <span class="hljs-keyword">return</span> <span class="hljs-string">"d"</span>;
</code></pre>
<hr>
<section data-footnotes class="footnotes"><h2 class="sr-only" id="footnote-label">Footnotes</h2>
<ol>
<li id="user-content-fn-note">
<p>The note. <a href="#user-content-fnref-note" data-footnote-backref="" aria-label="Back to reference 1" class="data-footnote-backref" rel="nofollow ugc noopener">↩</a></p>
</li>
</ol>
</section>`;

test("renders a text by its version", () => {
  // When this changes, raise the version: saved posts are then rendered again.
  expect([rendererVersion, renderMarkdown(text).html]).toEqual([6, html]);
});

test.each([
  ["# a\n## b", "h2 h3"],
  ["## a\n### b\n## c", "h2 h3 h2"],
  ["### a\n# b", "h4 h2"],
  ["a[^1]\n#### b\n\n[^1]: c", "h2 h2"],
  ["# a\n###### b", "h2 h6"],
])("the highest headings of %j are of the second level", (markdown, tags) => {
  const found = [...renderMarkdown(markdown).html.matchAll(/<(h\d)/g)].map(([, tag]) => tag);
  expect(found.join(" ")).toBe(tags);
});

test("colours code up to a length in all, and none with a very long line", () => {
  const block = (code: string) => `\`\`\`js\n${code}\n\`\`\`\n\n`;
  const coloured = (markdown: string) => renderMarkdown(markdown).html.match(/hljs-number/g)?.length ?? 0;
  const lines = (count: number) => "1;\n".repeat(count);
  expect(coloured(block(lines(3_000)))).toBe(3_000);
  expect(coloured(block(lines(4_000)))).toBe(0);
  expect(coloured(block(lines(2_000)) + block(lines(2_000)) + block(lines(1_000)))).toBe(3_000);
  expect(coloured(block("1;".repeat(1_001)))).toBe(0);
});

test("shows a picture's title beneath it when it stands alone", () => {
  expect(renderMarkdown('![A wall](/wall.png "The *wall*")').html).toBe(
    '<figure><img src="/wall.png" alt="A wall" loading="lazy"><figcaption>The *wall*</figcaption></figure>',
  );
  expect(renderMarkdown('See ![A wall](/wall.png "The wall")').html).toContain('title="The wall"');
});

test("names parts of a text in its language", () => {
  const persian = renderMarkdown("دیواری کوتاه در پهنای رود[^1]\n\n[^1]: یادداشت").html;
  expect(persian).toContain(">پانویس‌ها</h2>");
  expect(persian).toContain('aria-label="بازگشت به ارجاع 1"');
});

test.each([
  ["a link with a script", "[a](javascript:alert(1))"],
  ["a link with a script in mixed case and with an entity", "[a](JaVa&#x09;Script:alert(1))"],
  ["a link with data", "[a](data:text/html,<script>alert(1)</script>)"],
  ["a reference to a script", "[a][b]\n\n[b]: vbscript:alert(1)"],
  ["a picture with a script", "![a](javascript:alert(1))"],
  ["an autolink with a script", "<javascript:alert(1)>"],
  ["a script", "<script>alert(1)</script>"],
  ["a picture with a handler", 'x <img src="/x.png" onerror="alert(1)">'],
  ["a style", "<style>body { display: none }</style>"],
  ["a quote that would leave an attribute", '[a](/x" "\\" onclick=\\"alert(1)") ![" onerror="alert(1)](/x)'],
  ["a language that would leave its attribute", '```"onclick="a\nx\n```'],
])("renders %s as nothing that runs", (_, dangerous) =>
  expect(faultsOf(renderMarkdown(dangerous).html)).toEqual([]),
);

test("renders any text to allowed elements and attributes only", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...fragments), { maxLength: 60 }), (parts) => {
      expect(faultsOf(renderMarkdown(parts.join("")).html)).toEqual([]);
    }),
    { seed: 13, numRuns: 500 },
  );
});

const allowedTags = new Set(
  "h2 h3 h4 h5 h6 p br hr strong em del code pre blockquote ul ol li a img input section table thead tbody tr th td sup span figure figcaption picture source".split(
    " ",
  ),
);
const allowedAttributes = new Set(
  "href title rel src srcset sizes media width height decoding alt loading type checked disabled start align dir id class tabindex aria-label aria-describedby data-footnotes data-footnote-ref data-footnote-backref".split(
    " ",
  ),
);
const allowedAddress = /^(?:https?:|ircs?:|mailto:|xmpp:|[^:]*$|[^:]*[/?#])/i;

/** The elements and attributes in HTML that should not be there. */
function faultsOf(rendered: string): string[] {
  // A "<" or ">" in quotes is an attribute's text.
  const tags = rendered.match(/<(?:[^"<>]|"[^"]*")*>?/g) ?? [];
  return tags.flatMap((tag) => {
    const parts = /^<\/?([a-z0-9]+)((?: [a-z-]+(?:="[^"]*")?)*)>$/.exec(tag);
    if (!parts) return [`a tag ${tag}`];
    const [, name = "", attributes = ""] = parts;
    const named = [...attributes.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)];
    return [
      ...(allowedTags.has(name) ? [] : [`an element ${name}`]),
      ...named.flatMap(([, attribute = "", value = ""]) => {
        if (!allowedAttributes.has(attribute)) return [`an attribute ${attribute}`];
        const isAddress = attribute === "href" || attribute === "src";
        return isAddress && !allowedAddress.test(value) ? [`an address ${value}`] : [];
      }),
    ];
  });
}
