"use client";

import { type ComponentProps, useState, useSyncExternalStore } from "react";

interface TextAreaProps extends ComponentProps<"textarea"> {
  id: string;
}

/**
 * A `textarea` that keeps text typed before or during hydration.
 * React sets the value of a hydrated `textarea` (not of an `input`) to its default value unless that is empty, at some
 * time between the first rendering and the first effects. The default value is empty until then, and the value of a
 * dirty field does not follow it.
 */
export function TextArea({ defaultValue, ...props }: TextAreaProps) {
  const isHydrating = useSyncExternalStore(
    neverChanges,
    () => false,
    () => true,
  );
  const [isInPage] = useState(() => isHydrating && markDirty(props.id));
  return <textarea {...props} defaultValue={isHydrating && isInPage ? "" : defaultValue} />;
}

const neverChanges = () => () => {};

/**
 * Marks a server-rendered text area as dirty, as if its value had been typed.
 * False on the server, or without such an element.
 */
function markDirty(id: string): boolean {
  if (typeof document === "undefined") return false;
  const found = document.getElementById(id);
  if (!(found instanceof HTMLTextAreaElement)) return false;
  const { value } = found;
  found.value = value;
  return true;
}
