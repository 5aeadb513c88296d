import { LRUCache } from "lru-cache";
import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { log } from "@/lib/logging/log";
import { ScrollArea } from "./scroll-area";

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
    <ScrollArea label="Table">
      <table dir="auto">{children}</table>
    </ScrollArea>
  ),
  // biome-ignore lint/a11y/noNoninteractiveTabindex: as in ScrollArea
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  // A task list's checkbox: the sanitiser allows no other input.
  input: ({ checked }) => (
    <input type="checkbox" disabled checked={checked === true} aria-label={checked ? "Done" : "Not done"} />
  ),
  img: ({ src, alt }) => (
    // biome-ignore lint/performance/noImgElement: an author's image may be on any site and of any size; only the reader's browser fetches it
    <img src={src} alt={alt ?? ""} loading="lazy" />
  ),
};

/** Parsing Markdown dominates a page's time; the result depends on the text alone, so it is cached by that. */
const trees = new LRUCache<string, React.ReactElement>({
  maxSize: 500_000,
  sizeCalculation: (_, text) => Math.max(1, text.length),
});

function treeOf(text: string): React.ReactElement {
  const cached = trees.get(text);
  if (cached) return cached;
  const tree = parse(text);
  trees.set(text, tree);
  return tree;
}

function parse(text: string): React.ReactElement {
  try {
    return ReactMarkdown({
      children: text,
      remarkPlugins: [remarkGfm],
      // Last, so that it sanitises what the other plugins make.
      rehypePlugins: [rehypeSanitize],
      components,
    });
  } catch (error) {
    // Too intricate texts are refused when written; if one gets through, show it as plain text.
    log.error({ err: error }, "a text could not be parsed as Markdown");
    return <p className="whitespace-pre-wrap">{text}</p>;
  }
}

export function Markdown({ children }: { children: string }) {
  return (
    <div className="prose" dir="auto">
      {treeOf(children)}
    </div>
  );
}
