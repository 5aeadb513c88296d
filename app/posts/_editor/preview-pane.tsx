"use client";

import type { Ref } from "react";
import { Cover } from "@/app/_components/cover";
import { FormMessages } from "@/app/_components/form-messages";
import { textDirection } from "@/lib/i18n/text-direction";
import { logInPath } from "@/lib/paths";
import { tagNames } from "@/lib/posts/tag-names";
import { PostHeading } from "../post-heading";
import { PostText } from "../post-text";
import type { EditorTexts } from "./editor-texts";
import { usePreview } from "./use-preview";
import type { TypedText } from "./use-typed-text";

interface PreviewPaneProps {
  typed: TypedText;
  /** The post's author and date. */
  byline: React.ReactNode;
  isShown: boolean;
  texts: EditorTexts;
  /** The sentence that the text is not lost. */
  kept: string;
  ref: Ref<HTMLElement>;
}

/** The post as its page would show it. */
export function PreviewPane({ typed, byline, isShown, texts, kept, ref }: PreviewPaneProps) {
  const { rendered, problem } = usePreview(typed.content, isShown);
  const lang = typed.lang || (rendered?.detectedLang ?? "");
  const direction = textDirection(typed.content, lang);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and not every browser lets the keyboard scroll it otherwise
    <section ref={ref} aria-label={texts.preview} tabIndex={0} className="editor-preview">
      <div role="status" className="text-sm text-quiet not-empty:mb-4">
        {problem === "logged-out" ? (
          <FormMessages state={{ logInPath: logInPath(location.pathname) }} kept={kept} />
        ) : (
          problemText()
        )}
      </div>
      {typed.title && (
        <PostHeading
          as="h2"
          title={typed.title}
          lang={lang}
          direction={direction}
          byline={byline}
          {...(!typed.isUnlisted && {
            tags: { label: texts.tags, tags: tagNames(typed.tags).map((name) => ({ name })) },
          })}
        />
      )}
      <Cover cover={typed.cover} coverAlt={typed.coverAlt} />
      {rendered && (
        <PostText lang={lang} direction={direction} content={typed.content} html={rendered.html} />
      )}
    </section>
  );

  function problemText(): string | null {
    switch (problem) {
      case "nothing":
        return texts.nothing;
      case "too-long":
        return texts.tooLong;
      case "not-formatted":
        return texts.notFormatted;
      case "refused":
        return `${texts.refused} ${kept}`;
      case "unreachable":
        return `${texts.unreachable} ${kept}`;
      case "delayed":
        return texts.delayed;
      default:
        return rendered ? null : texts.previewing;
    }
  }
}
