import type { ToolName } from "./tool-names";

/** Strokes in a square of 20; the letters of bold and italic are drawn, too. */
const paths: Record<ToolName, string> = {
  heading: "M5 4v12M15 4v12M5 10h10",
  bold: "M6 4h5a3 3 0 0 1 0 6H6zM6 10h6a3 3 0 0 1 0 6H6z",
  italic: "M8.5 4h6M5.5 16h6M11.5 4l-3 12",
  link: "M8.5 11.5a3.2 3.2 0 0 0 4.6 0l2.6-2.6a3.2 3.2 0 0 0-4.6-4.6L10 5.4M11.5 8.5a3.2 3.2 0 0 0-4.6 0l-2.6 2.6a3.2 3.2 0 0 0 4.6 4.6l1.1-1.1",
  quote: "M8 5.5C5.5 6 4 8 4 11v3.5h4.2v-4.2H4M16.5 5.5c-2.5.5-4 2.5-4 5.5v3.5h4.2v-4.2h-4.2",
  list: "M8 5h9M8 10h9M8 15h9M3.5 5h.01M3.5 10h.01M3.5 15h.01",
  numbered: "M9 5h8M9 10h8M9 15h8M3 3.6l1.4-.6v4M2.8 12.3c.3-1.1 2.5-1.1 2.5.3 0 1-1.2 1.6-2.5 3.1h2.7",
  code: "M7 5.5 2.5 10 7 14.5M13 5.5l4.5 4.5-4.5 4.5",
  image: "M3 4h14v12H3zM3 13.5l4-4 3.5 3.5 2.5-2.5 4 4M12.7 7.6h.01",
};

const heavy: readonly ToolName[] = ["bold"];
/** Lists begin at the page's edge; a quotation mark is of the page's direction. */
const mirrored: readonly ToolName[] = ["list", "quote"];

/** The numbered list of a page from right to left, with Persian digits. */
const numberedFromRight = "M3 5h8M3 10h8M3 15h8M16 3v4M14.6 12.2c.3 1.5 2.6 1.5 2.9 0M14.6 12.2l.8 4";

/** A tool's icon; decorative. */
export function ToolIcon({ tool }: { tool: ToolName }) {
  return (
    <svg
      viewBox="0 0 20 20"
      aria-hidden="true"
      className={`size-5 fill-none stroke-current ${mirrored.includes(tool) ? "rtl:-scale-x-100" : ""}`}
      strokeWidth={heavy.includes(tool) ? 2.2 : 1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {tool === "numbered" && <path d={numberedFromRight} className="ltr:hidden" />}
      <path d={paths[tool]} className={tool === "numbered" ? "rtl:hidden" : undefined} />
    </svg>
  );
}
