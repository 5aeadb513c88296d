"use client";

import { fill, useTexts } from "@/app/_components/texts";
import { conventions } from "@/lib/i18n/locale";
import { wordsOfMarkdown } from "@/lib/markdown/words";
import { contentMaximum } from "@/lib/posts/lengths";
import type { EditorTexts } from "./editor-texts";

/** Numbers of characters left that a screen reader reads out. */
const announced = [100, 1_000, 5_000];

interface TextCountProps {
  id: string;
  content: string;
  texts: EditorTexts;
}

/** How many words a text has, and how many characters are left. */
export function TextCount({ id, content, texts }: TextCountProps) {
  const { locale } = useTexts();
  const number = (value: number) => value.toLocaleString(conventions[locale]);
  const left = contentMaximum - content.trim().length;
  const few = announced.find((bound) => left < bound);
  return (
    <>
      <p id={id} className="editor-count text-sm text-quiet">
        {fill(texts.count, { words: number(wordsOfMarkdown(content)), left: number(Math.max(0, left)) })}
      </p>
      <p role="status" className="sr-only">
        {few !== undefined && left >= 0 && fill(texts.fewLeft, { left: number(few) })}
      </p>
    </>
  );
}
