"use client";

import { useEffect } from "react";

/** Removes a parameter from the page's address: a reload does not repeat it. */
export function ForgetParameter({ name }: { name: string }) {
  useEffect(() => {
    const url = new URL(location.href);
    if (!url.searchParams.has(name)) return;
    url.searchParams.delete(name);
    // Without a state of its own, so that the router takes the new address over.
    history.replaceState(null, "", url);
  });
  return null;
}
