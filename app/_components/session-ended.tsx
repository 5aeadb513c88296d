import { translator } from "@/lib/i18n";
import { logInPath } from "@/lib/paths";
import { requestTarget } from "@/lib/request/current-request";

/**
 * The page for a form that was sent after the session had ended.
 * Only without JavaScript: the page with the form needs a session. A reload after logging in sends the form again.
 */
export function SessionEnded({ texts }: { texts: readonly string[] }) {
  const t = translator("errors");
  const written = [...new Set(texts)].filter((text) => text.trim() !== "");
  return (
    <div className="py-8">
      <h1 className="page-title">{t("sessionEnded")}</h1>
      <p className="mt-4 max-w-prose">
        {t.rich("sessionEndedHelp", {
          link: (chunks) => (
            <a href={logInPath(requestTarget())} target="_blank" rel="noopener">
              {chunks}
            </a>
          ),
        })}
      </p>
      {written.length > 0 && (
        <>
          <h2 className="section-title mt-8 mb-4">{t("sessionEndedTexts")}</h2>
          {written.map((text) => (
            <p key={text} dir="auto" className="mb-4 max-w-prose whitespace-pre-wrap break-words">
              {text}
            </p>
          ))}
        </>
      )}
    </div>
  );
}
