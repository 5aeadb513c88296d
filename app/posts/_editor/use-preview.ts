"use client";

import { useEffect, useRef, useState } from "react";
import { contentMaximum } from "@/lib/posts/lengths";
import { latestSender } from "../send-latest";
import { type PreviewAnswer, type Rendered, requestPreview } from "./request-preview";

interface Preview {
  /** The last text that the server rendered. */
  rendered: Rendered | undefined;
  /** Why there is none of the text as it is. */
  problem: Exclude<PreviewAnswer["kind"], "rendered"> | "nothing" | "too-long" | undefined;
}

/**
 * The preview of a text, as long as it is shown.
 * One request at a time, of the text as it is then.
 */
export function usePreview(content: string, isShown: boolean): Preview {
  const [answered, setAnswered] = useState<{ text: string; answer: PreviewAnswer }>();
  const [rendered, setRendered] = useState<Rendered>();
  const notBefore = useRef(0);
  const [send] = useState(() =>
    latestSender(async (text: string) => {
      const answer = await requestPreview(text);
      if (answer.kind === "rendered") setRendered(answer.rendered);
      if ("retryAfterMs" in answer) notBefore.current = performance.now() + answer.retryAfterMs;
      setAnswered({ text, answer });
    }),
  );
  const length = content.trim().length;
  const fault = length === 0 ? "nothing" : length > contentMaximum ? "too-long" : undefined;
  const isRendered = answered?.text === content && answered.answer.kind === "rendered";
  // A new object each time, so a request that is to be repeated is.
  const isRepeated = answered && "retryAfterMs" in answered.answer ? answered : undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a delayed request is repeated
  useEffect(() => {
    if (!isShown || fault || isRendered) return;
    const timer = setTimeout(() => void send(content), Math.max(0, notBefore.current - performance.now()));
    return () => clearTimeout(timer);
  }, [content, isShown, fault, isRendered, isRepeated, send]);

  const isLoggedOut = answered?.answer.kind === "logged-out";
  useEffect(() => {
    if (!isShown || fault || !isLoggedOut) return;
    // The writer logs in on another tab, and comes back.
    const retry = () => {
      if (document.visibilityState === "visible") void send(content);
    };
    addEventListener("focus", retry);
    document.addEventListener("visibilitychange", retry);
    return () => {
      removeEventListener("focus", retry);
      document.removeEventListener("visibilitychange", retry);
    };
  }, [content, isShown, fault, isLoggedOut, send]);

  const failure = answered && answered.answer.kind !== "rendered" ? answered.answer.kind : undefined;
  return { rendered: fault === "nothing" ? undefined : rendered, problem: fault ?? failure };
}
