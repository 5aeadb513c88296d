/**
 * Renders Markdown to sanitised HTML.
 * Slow for some texts, so only the worker calls it.
 */
import type { Root } from "hast";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { SKIP, visit } from "unist-util-visit";

// Raw HTML in a text is left out: nothing turns it into elements.
const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype)
  // The ids are those of footnotes, which remark-rehype prefixes; a second prefix would part them from their links.
  .use(rehypeSanitize, { ...defaultSchema, clobberPrefix: "" })
  .use(() => decorate)
  .use(rehypeStringify)
  .freeze();

export function renderMarkdown(text: string): string {
  return String(processor.processSync(text));
}

// The page has its own first heading, so a text's headings begin one level below.
const headings: Record<string, string> = { h1: "h2", h2: "h3", h3: "h4", h4: "h5", h5: "h6" };

/**
 * Adds attributes and wrappers that the page needs to sanitised elements.
 * Nothing of it comes from the text.
 */
function decorate(tree: Root): void {
  visit(tree, "element", (element, index, parent) => {
    const { tagName, properties } = element;
    element.tagName = headings[tagName] ?? tagName;
    switch (tagName) {
      case "a":
        properties.rel = ["nofollow", "ugc", "noopener"];
        return;
      case "pre":
        properties.tabIndex = 0; // not every browser lets the keyboard scroll it otherwise
        return;
      case "img":
        properties.loading = "lazy";
        properties.alt ??= "";
        return;
      case "input":
        // A task list's checkbox: the sanitiser allows no other input.
        properties.ariaLabel = properties.checked ? "Done" : "Not done";
        return;
      case "table": {
        properties.dir = "auto";
        if (!parent || index === undefined) return;
        // As `ScrollArea`, for a table that is wider than the page.
        parent.children[index] = {
          type: "element",
          tagName: "section",
          properties: { className: ["overflow-x-auto"], ariaLabel: "Table", tabIndex: 0 },
          children: [element],
        };
        return [SKIP, index + 1];
      }
    }
  });
}
