"use client";

import { type ComponentProps, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";

interface TextAreaProps extends ComponentProps<"textarea"> {
  id: string;
}

/**
 * A `textarea` that keeps text typed before hydration.
 * React resets a hydrated `textarea` (not an `input`) to its default value, so this reads the value before and
 * restores it after.
 */
export function TextArea(props: TextAreaProps) {
  const element = useRef<HTMLTextAreaElement>(null);
  const isInPageAlready = useSyncExternalStore(
    neverChanges,
    () => false,
    () => true,
  );
  const [typedBefore] = useState(() => (isInPageAlready ? valueInPage(props.id) : null));

  useLayoutEffect(() => {
    if (element.current && typedBefore !== null) element.current.value = typedBefore;
  }, [typedBefore]);

  return <textarea ref={element} {...props} />;
}

const neverChanges = () => () => {};

/** The value of a server-rendered text area; null on the server. */
function valueInPage(id: string): string | null {
  if (typeof document === "undefined") return null;
  const found = document.getElementById(id);
  return found instanceof HTMLTextAreaElement ? found.value : null;
}
