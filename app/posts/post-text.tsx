interface PostTextProps {
  /** The text's language; null for an unknown one, which need not be the page's. */
  lang: string | null;
  /** The post's. */
  direction: "ltr" | "rtl";
  content: string;
  html: string | null;
}

/**
 * A post's text as HTML.
 * As it was written when it is too intricate, or not rendered yet.
 */
export function PostText({ lang, direction, content, html }: PostTextProps) {
  if (html === null)
    return (
      <div className="prose" lang={lang ?? ""} dir={direction}>
        <p className="whitespace-pre-wrap">{content}</p>
      </div>
    );
  return (
    <div
      className="prose"
      lang={lang ?? ""}
      dir={direction}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: lib/markdown has sanitised it; only the server writes it
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
