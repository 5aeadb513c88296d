import { PageLinks } from "@/app/_components/page-links";
import { PostTitle } from "@/app/_components/post-title";
import { ScoreBar } from "@/app/_components/score";
import { SpanOfTime } from "@/app/_components/span-of-time";
import { Moment } from "@/app/_components/time";
import { formatter, translator } from "@/lib/i18n";
import { userPath, windowPath } from "@/lib/paths";
import type { WindowOfPost } from "@/lib/ratings/decisions/flood-window-decisions";
import { deadlineOf } from "@/lib/ratings/floods/flood-window";
import { scoring } from "@/lib/ratings/tally/scoring-settings";

interface WindowListProps {
  rows: readonly WindowOfPost[];
  /** The text for an empty list. */
  none?: string;
  /** The path of the first page; none on itself. */
  first: string | undefined;
  /** The path of the next page; none on the last. */
  next: string | null;
}

/** Flood windows of all posts, each with a link to its decision form. */
export function WindowList({ rows, none, first, next }: WindowListProps) {
  return (
    <>
      {rows.length === 0 && <p className="text-quiet">{none}</p>}
      <ol className="window-list">
        {rows.map((row) => (
          <WindowRow key={`${row.slug} ${row.window.number}`} {...row} />
        ))}
      </ol>
      <PageLinks first={first} next={next} nextText={translator("admin")("flood.more")} />
    </>
  );
}

function WindowRow({ slug, title, lang, author, window }: WindowOfPost) {
  const t = translator("admin");
  const { number, status, openedAt, lastAt, closedAt, arrived: count } = window;
  const span = <SpanOfTime from={openedAt} to={lastAt} />;
  return (
    <li className={status === "held" ? "held" : undefined}>
      <div>
        <h3>
          <a href={windowPath(slug, number)}>
            <PostTitle title={title} lang={lang} />
          </a>
        </h3>
        <p>
          <a href={userPath(author)}>
            <bdi>{author}</bdi>
          </a>
          {" · "}
          {t("flood.number", { number: formatter().number(number) })}
        </p>
        <p>{closedAt === null ? t.rich("flood.stillGoingOn", { span: () => span }) : span}</p>
        {status === "held" && (
          <p>
            {t.rich("flood.heldUntil", {
              time: () => <Moment at={deadlineOf(window, scoring.holdMs)} />,
            })}
          </p>
        )}
      </div>
      <div>
        <strong>{formatter().number(count)}</strong>
        <p>{t("flood.ratings", { count })}</p>
        <ScoreBar counts={window.counts} />
      </div>
    </li>
  );
}
