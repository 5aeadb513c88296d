"use client";

import { Fragment, useState } from "react";
import { useFormState } from "@/app/_components/form";

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

/** Sends the values that the form was shown with, as JSON. */
export function ShownValues({ shown }: { shown: string }) {
  // A later rendering has newer values, and the fields keep theirs.
  const [first] = useState(shown);
  return <input type="hidden" name="shown" value={useFormState().values?.shown ?? first} readOnly />;
}
