"use client";

import { use, useEffect, useRef, useState } from "react";
import { FormContext } from "@/app/_components/form";
import { submitWith } from "@/app/_components/submit-with";

/**
 * Has the browser create a passkey once the state has options; then resubmits.
 * `failure` is the message when it has not.
 */
export function PasskeyCreation({ failure }: { failure: string }) {
  const { state, answers } = use(FormContext);
  const field = useRef<HTMLInputElement>(null);
  const [hasFailed, setHasFailed] = useState(false);

  useEffect(() => {
    const options = state.values?.options;
    // Options that came with the page lack the password, which the second step needs.
    if (options === undefined || answers === 0) return;
    let isCurrent = true;
    const make = async () => {
      setHasFailed(false);
      try {
        const { startRegistration } = await import("@simplewebauthn/browser");
        const response = await startRegistration({ optionsJSON: JSON.parse(options) });
        if (field.current && isCurrent) submitWith(field.current, response);
      } catch {
        if (isCurrent) setHasFailed(true);
      }
    };
    void make();
    return () => {
      isCurrent = false;
    };
  }, [state, answers]);

  return (
    <>
      <input type="hidden" name="response" ref={field} />
      <p role="status" className="text-sm text-wrong empty:hidden">
        {hasFailed && failure}
      </p>
    </>
  );
}
