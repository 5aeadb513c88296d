import { translator } from "@/lib/i18n";
import { ScrollArea } from "./scroll-area";

export interface TableLink {
  /** The page with the table. */
  path: string;
  /** Whether this is that page. */
  isOpen: boolean;
}

interface AsTableProps {
  /** Names the table. */
  label: string;
  /** On a page with so many charts that it has a table only when a reader wants it. */
  link?: TableLink | undefined;
  children: React.ReactNode;
}

/** The numbers of a chart, behind it. */
export function AsTable({ label, link, children }: AsTableProps) {
  const text = translator("figures")("asTable");
  if (link && !link.isOpen)
    return (
      <p className="as-table">
        <a href={link.path} aria-label={label}>
          {text}
        </a>
      </p>
    );
  return (
    <details className="as-table" open={link?.isOpen}>
      <summary>{text}</summary>
      <ScrollArea label={label}>{children}</ScrollArea>
    </details>
  );
}
