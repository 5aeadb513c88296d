"use client";

import { useState } from "react";
import { useFormState } from "./form";

/** Sends a value that the form was shown with, or the later one that its state has. */
export function ShownValue({ name, value }: { name: string; value: string }) {
  // A later rendering has a newer value, and the fields keep theirs.
  const [first] = useState(value);
  return <input type="hidden" name={name} value={useFormState().values?.[name] ?? first} readOnly />;
}
