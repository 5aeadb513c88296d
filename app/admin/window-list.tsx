import { PostTitle } from "@/app/_components/post-title";
import { ScoreBar } from "@/app/_components/score";
import { SpanOfTime } from "@/app/_components/span-of-time";
import { Moment } from "@/app/_components/time";
import { formatter, translator } from "@/lib/i18n";
import { userPath, windowPath } from "@/lib/paths";
import { listMaximum, type WindowOfPost } from "@/lib/ratings/decisions/flood-window-decisions";
import { deadlineOf } from "@/lib/ratings/floods/flood-window";
import { scoring } from "@/lib/ratings/tally/scoring-settings";

interface WindowListProps {
  rows: readonly WindowOfPost[];
  /** The text for an empty list. */
  none?: string;
}

/** Flood windows of all posts, each with a link to its decision form. */
export function WindowList({ rows, none }: WindowListProps) {
  if (rows.length === 0) return <p className="text-quiet">{none}</p>;
  return (
    <>
      <ol className="divide-y divide-hairline">
        {rows.map((row) => (
          <WindowRow key={`${row.slug} ${row.window.number}`} {...row} />
        ))}
      </ol>
      {rows.length === listMaximum && (
        <p className="mt-3 text-sm text-quiet">
          {translator("admin")("tasks.mayBeMore", { count: listMaximum })}
        </p>
      )}
    </>
  );
}

function WindowRow({ slug, title, lang, author, window }: WindowOfPost) {
  const t = translator("admin");
  const { number, status, openedAt, lastAt, closedAt, arrived: count } = window;
  const span = <SpanOfTime from={openedAt} to={lastAt} />;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_5rem] items-start gap-x-5 py-5 first:pt-0 last:pb-0 sm:grid-cols-[minmax(0,1fr)_8rem]">
      <div className="min-w-0">
        <h3 className="line-clamp-3 font-reading text-[1.1875rem] leading-[1.35] font-semibold">
          <a href={windowPath(slug, number)} className="text-ink hover:text-water">
            <PostTitle title={title} lang={lang} />
          </a>
        </h3>
        <p className="mt-1 text-sm text-quiet">
          <a href={userPath(author)} className="text-quiet">
            <bdi>{author}</bdi>
          </a>
          {" · "}
          {t("flood.number", { number: formatter().number(number) })}
        </p>
        <p className="mt-1 text-sm text-quiet">
          {closedAt === null ? t.rich("flood.stillGoingOn", { span: () => span }) : span}
        </p>
        {status === "held" && (
          <p className="text-sm text-quiet">
            {t.rich("flood.heldUntil", {
              time: () => <Moment at={deadlineOf(window, scoring.holdMs)} />,
            })}
          </p>
        )}
      </div>
      <div className="text-end">
        <p
          className={`text-[1.375rem] leading-[1.25] font-semibold tabular-nums ${status === "held" ? "text-amber" : ""}`}
        >
          {formatter().number(count)}
        </p>
        <p className="mb-1.5 text-sm text-quiet">{t("flood.ratings", { count })}</p>
        <ScoreBar counts={window.counts} />
      </div>
    </li>
  );
}
