"use client";

import { useEffect, useRef, useState } from "react";
import { submitWith } from "@/app/_components/submit-with";

interface PasskeyButtonProps {
  options: string;
  texts: { use: string; unused: string; needsJavaScript: string };
}

/**
 * Has the browser sign with a passkey, and sends the form with its response.
 * Without JavaScript it shows a notice.
 */
export function PasskeyButton({ options, texts }: PasskeyButtonProps) {
  const field = useRef<HTMLInputElement>(null);
  const [isReady, setIsReady] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => setIsReady(true), []);

  async function authenticate(): Promise<void> {
    setHasFailed(false);
    try {
      const { startAuthentication } = await import("@simplewebauthn/browser");
      const response = await startAuthentication({ optionsJSON: JSON.parse(options) });
      if (field.current) submitWith(field.current, response);
    } catch {
      setHasFailed(true);
    }
  }

  return (
    <div className="flex flex-col gap-1.5">
      <input type="hidden" name="passkey" ref={field} />
      {isReady && (
        <div>
          <button type="button" className="button" onClick={() => void authenticate()}>
            {texts.use}
          </button>
        </div>
      )}
      <noscript>
        <p className="text-sm text-quiet">{texts.needsJavaScript}</p>
      </noscript>
      <p role="status" className="text-sm text-wrong empty:hidden">
        {hasFailed && texts.unused}
      </p>
    </div>
  );
}
