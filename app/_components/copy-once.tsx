interface CopyOnceProps {
  id: string;
  label: string;
  value: string;
  rows: number;
  /** Instructions for the value. */
  children: React.ReactNode;
}

/** A secret that is shown once, focused, to be copied. */
export function CopyOnce({ id, label, value, rows, children }: CopyOnceProps) {
  // Replaces the focused element; without JavaScript the page is rendered again and starts at the top.
  const focused = { autoFocus: true };
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-[0.9375rem] font-medium">
        {label}
      </label>
      <textarea
        id={id}
        readOnly
        rows={rows}
        value={value}
        dir="ltr"
        spellCheck={false}
        className="input resize-none font-mono text-sm break-all"
        aria-describedby={`${id}-help`}
        {...focused}
      />
      <p id={`${id}-help`} role="status" className="text-sm">
        {children}
      </p>
    </div>
  );
}
