"use client";

import { useEffect, useState } from "react";
import { formatWait } from "@/lib/time/wait";
import { fill, useTexts } from "./texts";

/** A countdown to the retry; without JavaScript the initial time. */
export function Refusal({ retryAfterMs }: { retryAfterMs: number | null }) {
  const texts = useTexts();
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
    <p className="text-sm text-quiet" data-retry-after-ms={retryAfterMs}>
      {leftMs > 0 ? (
        <span role="timer">
          {fill(texts.retryIn, { wait: formatWait(Math.ceil(leftMs / 1000), texts.locale) })}
        </span>
      ) : (
        texts.retryNow
      )}
    </p>
  );
}
