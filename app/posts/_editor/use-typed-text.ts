"use client";

import { type RefObject, useEffect, useState } from "react";
import { withLineFeeds } from "@/lib/text/line-feeds";

/** A pause in typing after which the text is counted and previewed. */
const pauseMs = 400;

export interface TypedText {
  title: string;
  content: string;
  /** The chosen language; "" for the detected one. */
  lang: string;
  tags: string;
  isUnlisted: boolean;
  cover: string | null;
  coverAlt: string;
}

const nothing = { title: "", lang: "", tags: "", isUnlisted: false, cover: null, coverAlt: "" };

/** The text in the enclosing form of an element, whenever the writer pauses. */
export function useTypedText(place: RefObject<HTMLElement | null>, defaultValue: string): TypedText {
  const [typed, setTyped] = useState<TypedText>({ ...nothing, content: defaultValue });
  useEffect(() => {
    const form = place.current?.closest("form");
    if (!form) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      const data = new FormData(form);
      const text = (name: string) => withLineFeeds(String(data.get(name) ?? ""));
      const chosenCover = form.querySelector("input[name=cover]:checked");
      const cover = text("cover");
      const now: TypedText = {
        title: text("title").trim(),
        content: text("content"),
        lang: text("lang"),
        tags: text("tags"),
        isUnlisted: text("visibility") === "unlisted",
        cover: cover === "none" ? null : cover,
        coverAlt: chosenCover?.closest("label")?.textContent ?? "",
      };
      setTyped((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now));
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
