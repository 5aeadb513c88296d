/**
 * Pages for a form that changed nothing and cannot be shown again.
 * Only without JavaScript.
 */
import { translator } from "@/lib/i18n";
import { logInPath } from "@/lib/paths";
import { requestTarget } from "@/lib/request/current-request";

/**
 * The page for a form that was sent after the session had ended.
 * A reload after logging in sends the form again.
 */
export function SessionEnded({ texts }: { texts: readonly string[] }) {
  const t = translator("errors");
  return (
    <UnsavedForm
      title={t("sessionEnded")}
      help={t.rich("sessionEndedHelp", {
        link: (chunks) => (
          <a href={logInPath(requestTarget())} target="_blank" rel="noopener" data-log-in="">
            {chunks}
          </a>
        ),
      })}
      texts={texts}
    />
  );
}

/** The page for a form whose user may not send it, or no longer. */
export function NotAllowed({ texts }: { texts: readonly string[] }) {
  const t = translator("errors");
  return <UnsavedForm title={t("forbidden")} help={t("notAllowed")} texts={texts} />;
}

function UnsavedForm({
  title,
  help,
  texts,
}: {
  title: string;
  help: React.ReactNode;
  texts: readonly string[];
}) {
  const written = [...new Set(texts)].filter((text) => text.trim() !== "");
  return (
    <div className="py-8">
      <h1 className="page-title">{title}</h1>
      <p className="mt-4 max-w-prose">{help}</p>
      {written.length > 0 && (
        <>
          <h2 className="section-title mt-8 mb-4">{translator("errors")("sentTexts")}</h2>
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
