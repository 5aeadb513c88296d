"use client";

import { type ComponentProps, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";

interface TextAreaProps extends ComponentProps<"textarea"> {
  id: string;
}

/**
 * A `textarea` that keeps what was typed before the page's scripts ran. React sets the value of one that it finds in
 * the page to its default value, where it leaves that of an `input` alone; so it is read before and put back after.
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

/** What stands in a text area that came with the page; null on the server. */
function valueInPage(id: string): string | null {
  if (typeof document === "undefined") return null;
  const found = document.getElementById(id);
  return found instanceof HTMLTextAreaElement ? found.value : null;
}
