"use client";

import { type ComponentProps, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";

interface TextAreaProps extends ComponentProps<"textarea"> {
  id: string;
  defaultValue?: string | undefined;
}

/**
 * A `textarea` that keeps text typed before or during hydration.
 * React sets the value of a hydrated `textarea` (not of an `input`) to its default value unless that is empty, at some
 * time between the first rendering and the first effects. So it is empty until then. The value stays, as the browser
 * regards a value that was set as typed.
 */
export function TextArea({ defaultValue, ...props }: TextAreaProps) {
  const element = useRef<HTMLTextAreaElement>(null);
  const isHydrating = useSyncExternalStore(
    neverChanges,
    () => false,
    () => true,
  );
  const [isInPage] = useState(() => isHydrating && keepValue(props.id));

  // Effects of other components, which follow, read it.
  useLayoutEffect(() => {
    if (element.current) element.current.defaultValue = defaultValue ?? "";
  }, [defaultValue]);

  return <textarea ref={element} {...props} defaultValue={isHydrating && isInPage ? "" : defaultValue} />;
}

const neverChanges = () => () => {};

/**
 * Makes a server-rendered text area keep its value when the default value changes.
 * Returns whether there is one: not on the server.
 */
function keepValue(id: string): boolean {
  if (typeof document === "undefined") return false;
  const found = document.getElementById(id);
  if (!(found instanceof HTMLTextAreaElement)) return false;
  const { value } = found;
  found.value = value;
  return true;
}
