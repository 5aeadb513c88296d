"use client";

import { Fragment, useState } from "react";

/**
 * Makes a new form after each save, whose fields show the saved values.
 * Depends on nothing else: without JavaScript the answer must find the same form.
 */
export function NewFormAfter({ save, children }: { save: string | undefined; children: React.ReactNode }) {
  const [latest, setLatest] = useState(save);
  // The page's address forgets the save.
  if (save !== undefined && save !== latest) setLatest(save);
  return <Fragment key={latest}>{children}</Fragment>;
}
