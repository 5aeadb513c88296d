"use client";

import type { Ref } from "react";
import { FormMessages } from "@/app/_components/form-messages";
import { logInPath } from "@/lib/paths";
import type { EditorTexts } from "./editor-texts";
import { usePreview } from "./use-preview";

interface PreviewPaneProps {
  content: string;
  /** The chosen language; "" for the detected one. */
  lang: string;
  isShown: boolean;
  texts: EditorTexts;
  /** The sentence that the text is not lost. */
  kept: string;
  ref: Ref<HTMLElement>;
}

/** The text as a post would show it. */
export function PreviewPane({ content, lang, isShown, texts, kept, ref }: PreviewPaneProps) {
  const { rendered, problem } = usePreview(content, isShown);
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
      {rendered && (
        <div
          className="prose"
          lang={lang || (rendered.detectedLang ?? "")}
          dir="auto"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: lib/markdown has sanitised it
          dangerouslySetInnerHTML={{ __html: rendered.html }}
        />
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
