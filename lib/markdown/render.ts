/**
 * Renders Markdown to sanitised HTML.
 * Slow for some texts, so only the worker calls it.
 */
import type { Element, Root } from "hast";
import { common, createLowlight } from "lowlight";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { SKIP, visit } from "unist-util-visit";
import { translator } from "../i18n/index.ts";
import { isLocale } from "../i18n/locale.ts";
import { imageAt } from "../media/address.ts";
import { pictureOf } from "./picture.ts";
import { summaryOf } from "./summary.ts";
import type { Summary } from "./types.ts";

// Raw HTML in a text is left out: nothing turns it into elements.
const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype)
  // The ids are those of footnotes, which remark-rehype prefixes; a second prefix would part them from their links.
  .use(rehypeSanitize, { ...defaultSchema, clobberPrefix: "" })
  .use(rehypeStringify)
  .freeze();

export function renderMarkdown(text: string, { isColoured = true } = {}): { html: string; summary: Summary } {
  const tree = processor.runSync(processor.parse(text));
  const summary = summaryOf(tree);
  decorate(tree, summary.detectedLang, isColoured ? colouring() : () => {});
  return { html: processor.stringify(tree), summary };
}

const lowlight = createLowlight(common);
/**
 * How much of a text's code is coloured, in UTF-16 units.
 * Colours take time, and make the HTML many times longer.
 */
const colouredMaximum = 10_000;
/** The time of some languages grows with the square of a line. */
const colouredLineMaximum = 2_000;

/**
 * Adds the page's attributes, wrappers and colours to sanitised elements.
 * Nothing of it comes from the text. Labels are in the text's language, where the interface has it.
 */
function decorate(tree: Root, lang: string | null, colour: (pre: Element) => void): void {
  const t = translator("prose", isLocale(lang) ? lang : "en");
  let hasPicture = false;
  placeHeadings(tree);
  visit(tree, "element", (element, index, parent) => {
    const { tagName, properties } = element;
    switch (tagName) {
      case "a":
        properties.rel = ["nofollow", "ugc", "noopener"];
        if (properties.dataFootnoteBackref !== undefined)
          properties.ariaLabel = String(properties.ariaLabel).replace(/^\D*/, `${t("backToReference")} `);
        return;
      case "h2":
        if (properties.id === "footnote-label") element.children = [{ type: "text", value: t("footnotes") }];
        return;
      case "pre":
        properties.tabIndex = 0; // not every browser lets the keyboard scroll it otherwise
        colour(element);
        return;
      case "p":
        captioned(element);
        return;
      case "img": {
        properties.alt ??= "";
        const image = imageAt(String(properties.src));
        if (!image || !parent || index === undefined) {
          properties.loading = "lazy";
          return;
        }
        parent.children[index] = pictureOf(image, { alt: String(properties.alt), isFirst: !hasPicture });
        hasPicture = true;
        return [SKIP, index + 1];
      }
      case "input":
        // A task list's checkbox: the sanitiser allows no other input.
        properties.ariaLabel = t(properties.checked ? "done" : "notDone");
        return;
      case "table": {
        properties.dir = "auto";
        if (!parent || index === undefined) return;
        // As `ScrollArea`, for a table that is wider than the page.
        parent.children[index] = {
          type: "element",
          tagName: "section",
          properties: { className: ["overflow-x-auto"], ariaLabel: t("table"), tabIndex: 0 },
          children: [element],
        };
        return [SKIP, index + 1];
      }
    }
  });
}

/**
 * Moves a text's headings so that its highest is of the second level.
 * The page has the first. Whether its author begins with `#` or `##`, no level is left out.
 */
function placeHeadings(tree: Root): void {
  const found: { element: Element; level: number }[] = [];
  visit(tree, "element", (element) => {
    const [, level] = /^h([1-6])$/.exec(element.tagName) ?? [];
    if (level && element.properties.id !== "footnote-label") found.push({ element, level: Number(level) });
  });
  const highest = Math.min(...found.map(({ level }) => level));
  for (const { element, level } of found) element.tagName = `h${Math.min(level - highest + 2, 6)}`;
}

/** Makes a paragraph that is one picture with a title a figure with a caption. */
function captioned(paragraph: Element): void {
  const [image, ...others] = paragraph.children;
  if (others.length > 0 || image?.type !== "element" || image.tagName !== "img") return;
  const { title, ...properties } = image.properties;
  if (typeof title !== "string" || title === "") return;
  image.properties = properties;
  paragraph.tagName = "figure";
  const children: Element["children"] = [{ type: "text", value: title }];
  paragraph.children.push({ type: "element", tagName: "figcaption", properties: {}, children });
}

/** Colours code whose language is given and known, up to a length in all. */
function colouring(): (pre: Element) => void {
  let left = colouredMaximum;
  return ({ children: [code] }) => {
    if (code?.type !== "element") return;
    const [text] = code.children;
    const { className } = code.properties;
    const [named] = Array.isArray(className) ? className : [];
    const language = String(named ?? "").replace(/^language-/, "");
    if (text?.type !== "text" || text.value.length > left || !lowlight.registered(language)) return;
    if (text.value.split("\n").some((line) => line.length > colouredLineMaximum)) return;
    left -= text.value.length;
    code.children = lowlight
      .highlight(language, text.value)
      .children.filter((child) => child.type !== "doctype");
  };
}
