"use client";

import { type RefObject, useEffect, useState } from "react";
import { withLineFeeds } from "@/lib/line-feeds";

/** A pause in typing after which the text is counted and previewed. */
const pauseMs = 400;

interface TypedText {
  content: string;
  /** The chosen language; "" for the detected one. */
  lang: string;
}

/** The text in the enclosing form of an element, whenever the writer pauses. */
export function useTypedText(place: RefObject<HTMLElement | null>, defaultValue: string): TypedText {
  const [typed, setTyped] = useState<TypedText>({ content: defaultValue, lang: "" });
  useEffect(() => {
    const form = place.current?.closest("form");
    if (!form) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      const data = new FormData(form);
      const content = withLineFeeds(String(data.get("content") ?? ""));
      const lang = String(data.get("lang") ?? "");
      setTyped((before) => (before.content === content && before.lang === lang ? before : { content, lang }));
    };
    const readSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(read, pauseMs);
    };
    read();
    form.addEventListener("input", readSoon);
    form.addEventListener("change", readSoon);
    return () => {
      clearTimeout(timer);
      form.removeEventListener("input", readSoon);
      form.removeEventListener("change", readSoon);
    };
  }, [place]);
  return typed;
}
