/**
 * A post's text as HTML.
 * As it was written when it is too intricate, or not rendered yet.
 */
export function PostText({ content, html }: { content: string; html: string | null }) {
  if (html === null)
    return (
      <div className="prose" dir="auto">
        <p className="whitespace-pre-wrap">{content}</p>
      </div>
    );
  return (
    <div
      className="prose"
      dir="auto"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: lib/markdown has sanitised it; only the server writes it
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
