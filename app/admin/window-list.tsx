import { ScoreBar } from "@/app/_components/score";
import { SpanOfTime } from "@/app/_components/span-of-time";
import { Moment } from "@/app/_components/time";
import { formatNumber } from "@/lib/limiter/text";
import { userPath, windowPath } from "@/lib/paths";
import { listMaximum, type WindowOfPost } from "@/lib/ratings/decisions/flood-window-decisions";
import { deadlineOf } from "@/lib/ratings/floods/flood-window";
import { scoring } from "@/lib/ratings/tally/scoring-settings";

interface WindowListProps {
  rows: readonly WindowOfPost[];
  /** The text for an empty list. */
  none: string;
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
          There may be more: these are the latest {formatNumber(listMaximum)}.
        </p>
      )}
    </>
  );
}

function WindowRow({ slug, title, author, window }: WindowOfPost) {
  const { number, status, openedAt, lastAt, closedAt, arrived: count } = window;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_5rem] items-start gap-x-5 py-5 first:pt-0 last:pb-0 sm:grid-cols-[minmax(0,1fr)_8rem]">
      <div className="min-w-0" dir="auto">
        <h3 className="line-clamp-3 font-reading text-[1.1875rem] leading-[1.35] font-semibold">
          <a href={windowPath(slug, number)} className="text-ink hover:text-water">
            {title}
          </a>
        </h3>
        <p className="mt-1 text-sm text-quiet">
          <a href={userPath(author)} className="text-quiet">
            <bdi>{author}</bdi>
          </a>
          {" · "}
          <bdi>flood {number}</bdi>
        </p>
        <p className="mt-1 text-sm text-quiet">
          <bdi dir="ltr">
            <SpanOfTime from={openedAt} to={lastAt} />
            {closedAt === null && ", still going on"}
          </bdi>
        </p>
        {status === "held" && (
          <p className="text-sm text-quiet">
            <bdi dir="ltr">
              Held until <Moment at={deadlineOf(window, scoring.holdMs)} />
            </bdi>
          </p>
        )}
      </div>
      <div className="text-end">
        <p
          className={`text-[1.375rem] leading-[1.25] font-semibold tabular-nums ${status === "held" ? "text-amber" : ""}`}
        >
          {formatNumber(count)}
        </p>
        <p className="mb-1.5 text-sm text-quiet">{count === 1 ? "rating" : "ratings"}</p>
        <ScoreBar counts={window.counts} />
      </div>
    </li>
  );
}
