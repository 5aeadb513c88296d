"use client";

import { useEffect, useState } from "react";

/** How long until it makes sense to try again, counting down; without JavaScript, the time as it was at first. */
export function Refusal({ retryAfterMs, at }: { retryAfterMs: number | null; at: number }) {
  const [leftMs, setLeftMs] = useState(retryAfterMs);

  useEffect(() => {
    if (retryAfterMs === null) return;
    const start = performance.now();
    const tick = () => setLeftMs(Math.max(0, retryAfterMs - (performance.now() - start)));
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [retryAfterMs]);

  if (leftMs === null) return null;
  return (
    <p className="text-sm text-quiet" data-refused-at={at}>
      {leftMs > 0 ? (
        <span role="timer">You can try again in {waitText(leftMs)}.</span>
      ) : (
        "You can try again now."
      )}
    </p>
  );
}

/** A wait in words, never shorter than it is: "4 seconds", "2 minutes", "3 hours". */
function waitText(waitMs: number): string {
  const seconds = Math.ceil(waitMs / 1000);
  if (seconds < 120) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
