"use client";

import { useEffect, useId, useState } from "react";

interface CopyFieldProps {
  label: string;
  value: string;
  copy: string;
  copied: string;
}

/** A line to copy: by a button where the browser has a clipboard, else by hand. */
export function CopyField({ label, value, copy, copied }: CopyFieldProps) {
  const id = useId();
  const [canCopy, setCanCopy] = useState(false);
  const [isCopied, setIsCopied] = useState(false);
  // Only on pages of https and of localhost.
  useEffect(() => setCanCopy(navigator.clipboard !== undefined), []);
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm text-quiet">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          readOnly
          value={value}
          dir="ltr"
          className="input min-w-0 grow font-mono text-sm"
          onFocus={(event) => event.currentTarget.select()}
        />
        {canCopy && (
          <button
            type="button"
            className="button"
            onClick={() => navigator.clipboard.writeText(value).then(() => setIsCopied(true))}
          >
            <span role="status">{isCopied ? copied : copy}</span>
          </button>
        )}
      </div>
    </div>
  );
}
