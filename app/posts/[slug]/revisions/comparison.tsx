import { translator } from "@/lib/i18n";
import type { TextComparison } from "@/lib/posts/compare-texts";
import { shortened, type TextPart } from "@/lib/posts/text-changes";

interface ComparisonProps {
  isSame: boolean;
  title: readonly TextPart[];
  content: TextComparison;
  /** Both texts whole, for when they were not compared. */
  texts: readonly TextPart[];
  lang: string | null;
}

/** The changes in title and text, word by word. */
export function Comparison({ isSame, title, content, texts, lang }: ComparisonProps) {
  const t = translator("writing");
  if (isSame) return <p className="mt-6">{t("revisions.same")}</p>;
  return (
    <>
      <p className="mt-3 text-sm text-quiet">
        {t.rich("revisions.legend", {
          del: (text) => <del className={classOf.removed}>{text}</del>,
          ins: (text) => <ins className={classOf.added}>{text}</ins>,
        })}
      </p>
      {typeof content === "string" && (
        <p className="mt-3 text-sm text-amber">
          {t(content === "busy" ? "revisions.busy" : "revisions.tooDifferent")}
        </p>
      )}
      <div lang={lang ?? ""} className="mt-6 font-reading">
        <h2 dir="auto" className="text-xl font-semibold wrap-anywhere">
          <Parts parts={title} />
        </h2>
        <div dir="auto" className="mt-4 whitespace-pre-wrap wrap-anywhere">
          <Parts parts={typeof content === "string" ? texts : shortened(content)} />
        </div>
      </div>
    </>
  );
}

const classOf = { removed: "text-wrong line-through", added: "text-water underline" } as const;

function Parts({ parts }: { parts: readonly (TextPart | null)[] }) {
  return parts.map(shownPart);
}

function shownPart(part: TextPart | null, index: number) {
  const t = translator("writing");
  if (part === null)
    return (
      <span key={index} className="block py-2 text-sm text-quiet">
        {t("revisions.omitted")}
      </span>
    );
  if (part.kind === "same") return <span key={index}>{part.text}</span>;
  const isRemoved = part.kind === "removed";
  const Element = isRemoved ? "del" : "ins";
  return (
    <Element key={index} className={classOf[part.kind]}>
      <span className="sr-only">{t(isRemoved ? "revisions.removed" : "revisions.added")} </span>
      {part.text}
    </Element>
  );
}
