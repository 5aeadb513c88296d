import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
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

/** An author's text. Sanitised last, so nothing before can let anything through. */
export function Markdown({ children }: { children: string }) {
  return (
    <div className="prose" dir="auto">
      <ReactMarkdown remarkPlugins={[remarkGfm]} rehypePlugins={[rehypeSanitize]} components={components}>
        {children}
      </ReactMarkdown>
    </div>
  );
}
