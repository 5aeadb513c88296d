import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { log } from "@/lib/logging/log";
import { remembered } from "./remembered";
import { Scrolled } from "./scrolled";

// The page has its own first heading, so a text's headings begin one level below.
const components: Components = {
  h1: "h2",
  h2: "h3",
  h3: "h4",
  h4: "h5",
  h5: "h6",
  a: ({ href, children }) => (
    <a href={href} rel="nofollow ugc noopener">
      {children}
    </a>
  ),
  table: ({ children }) => (
    <Scrolled label="Table">
      <table dir="auto">{children}</table>
    </Scrolled>
  ),
  // biome-ignore lint/a11y/noNoninteractiveTabindex: as in Scrolled
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  // Of a task list: the sanitiser lets no other input through.
  input: ({ checked }) => (
    <input type="checkbox" disabled checked={checked === true} aria-label={checked ? "Done" : "Not done"} />
  ),
  img: ({ src, alt }) => (
    // biome-ignore lint/performance/noImgElement: an image of an author's stands on any site and in any size; only the reader's browser fetches it
    <img src={src} alt={alt ?? ""} loading="lazy" />
  ),
};

/**
 * Reading Markdown takes longer than all else that a page does. What becomes of a text hangs on the text alone, so it
 * is remembered by that: a changed post is another text, and nothing about a reader is in it.
 */
const treeOf = remembered(500_000, (text) => {
  try {
    return ReactMarkdown({
      children: text,
      remarkPlugins: [remarkGfm],
      // Last, so nothing before can let anything through.
      rehypePlugins: [rehypeSanitize],
      components,
    });
  } catch (error) {
    // What is too intricate is refused when it is written; should one get through, its words can still be read.
    log.error({ err: error }, "a text could not be read as Markdown");
    return <p className="whitespace-pre-wrap">{text}</p>;
  }
});

/** An author's text. */
export function Markdown({ children }: { children: string }) {
  return (
    <div className="prose" dir="auto">
      {treeOf(children)}
    </div>
  );
}
