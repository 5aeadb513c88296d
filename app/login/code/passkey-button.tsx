"use client";

import { useEffect, useRef, useState } from "react";

/**
 * Has the browser sign with a passkey, and sends the form with its response.
 * Without JavaScript it shows a notice.
 */
export function PasskeyButton({ options }: { options: string }) {
  const field = useRef<HTMLInputElement>(null);
  const [isReady, setIsReady] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => setIsReady(true), []);

  async function authenticate(): Promise<void> {
    setHasFailed(false);
    try {
      const { startAuthentication } = await import("@simplewebauthn/browser");
      const response = await startAuthentication({ optionsJSON: JSON.parse(options) });
      const input = field.current;
      if (!input) return;
      input.value = JSON.stringify(response);
      input.form?.requestSubmit();
      input.value = "";
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
            Use a passkey
          </button>
        </div>
      )}
      <noscript>
        <p className="text-sm text-quiet">
          Your passkey needs JavaScript, which is switched off in this browser. Use a code instead.
        </p>
      </noscript>
      <p role="status" className="text-sm text-wrong empty:hidden">
        {hasFailed &&
          "No passkey was used: you cancelled, or this device has none for your account. Try again, or use a code."}
      </p>
    </div>
  );
}
