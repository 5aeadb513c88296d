/** A horizontally scrollable area, such as for a wide table, also by keyboard. */
export function ScrollArea({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: not every browser lets the keyboard scroll it otherwise
    <section className="overflow-x-auto" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
