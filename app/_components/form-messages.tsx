"use client";

import { Refusal } from "./refusal";
import { fill, useTexts } from "./texts";

interface FormMessagesProps {
  /** About the previous action; shown while there is nothing else. */
  notice: string | undefined;
  errors: readonly string[];
  refusal: { text: string; retryAfterMs: number | null; at: number } | undefined;
  logInPath: string | undefined;
  /** The sentence that the input is not lost. */
  kept: string;
}

/** The messages about a whole form, below its fields. */
export function FormMessages({ notice, errors, refusal, logInPath, kept }: FormMessagesProps) {
  const texts = useTexts();
  return (
    <>
      <div role="status" className="contents">
        {notice && errors.length === 0 && !refusal && <p className="text-sm text-quiet">{notice}</p>}
        {errors.map((error) => (
          <p key={error} className="text-sm text-wrong">
            {error}
          </p>
        ))}
        {refusal && <p className="font-medium text-amber">{refusal.text}</p>}
        {logInPath !== undefined && (
          <p className="text-wrong">
            {fill(texts.loggedOut, { kept })}{" "}
            <a href={logInPath} target="_blank" rel="noopener">
              {texts.logIn}
            </a>
          </p>
        )}
      </div>
      {refusal && <Refusal key={refusal.at} retryAfterMs={refusal.retryAfterMs} />}
    </>
  );
}
