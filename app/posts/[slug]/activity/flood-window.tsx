import { otherDecidesText } from "@/app/_components/decider";
import { DecisionForm } from "@/app/_components/decision-form";
import { ratingsText, scoreText } from "@/app/_components/score";
import { SpanOfTime } from "@/app/_components/span-of-time";
import { Moment } from "@/app/_components/time";
import { formatNumber, formatShortDuration } from "@/lib/limiter/text";
import { windowAnchor } from "@/lib/paths";
import type { AccountAges } from "@/lib/ratings/decisions/account-ages";
import type { SavedWindowDecision } from "@/lib/ratings/decisions/activity";
import type { ReviewRequest } from "@/lib/ratings/decisions/review-requests";
import { deadlineOf, distance, type FloodWindow, pastOf } from "@/lib/ratings/floods/flood-window";
import { type Counts, scoreFrom, withCounts } from "@/lib/ratings/score/score";
import { scoring } from "@/lib/ratings/tally/scoring-settings";
import { Accounts } from "./accounts";
import { LastDecision } from "./decided-by";
import { ReviewForm } from "./review-form";
import { Spread } from "./spread";

export type WindowNotice = "decided" | "already" | undefined;

interface FloodWindowPartProps {
  slug: string;
  window: FloodWindow;
  /** The post's counted ratings. */
  counts: Counts;
  /** The last decision on the window. */
  decision: SavedWindowDecision | undefined;
  /** The author's open request for a review. */
  request: ReviewRequest | undefined;
  /** Whether the viewer decides; an author requests a review instead. */
  mayDecide: boolean;
  isAuthor: boolean;
  /** Only for deciders, and while the window waits for a decision. */
  ages: AccountAges | undefined;
  notice: WindowNotice;
}

const statusColours = { held: "text-amber", counted: "text-water", excluded: "text-quiet" } as const;

/**
 * One flood window, with the form to decide or to request a review.
 * Shows when it was, its ratings and its status.
 */
export function FloodWindowPart({
  slug,
  window,
  counts,
  decision,
  request,
  mayDecide,
  isAuthor,
  ages,
  notice,
}: FloodWindowPartProps) {
  const { number, status, openedAt, lastAt, closedAt } = window;
  const { count } = scoreFrom(window.counts);
  const anchor = windowAnchor(number);
  return (
    <article
      id={anchor}
      aria-labelledby={`${anchor}-title`}
      className="scroll-mt-4 border-hairline pt-6 [&+article]:mt-8 [&+article]:border-t"
    >
      <h3 id={`${anchor}-title`} className="text-xl font-semibold">
        <a href={`#${anchor}`} className="text-ink">
          Flood {number}
        </a>
        : {ratingsText(count)} <span className={statusColours[status]}>{status}</span>
      </h3>
      <p className="mt-1 text-[0.9375rem] text-quiet">
        <SpanOfTime from={openedAt} to={lastAt} />
        {lastAt > openedAt && ` (${formatShortDuration(lastAt - openedAt)})`}
        {closedAt === null && ", still going on"}
      </p>
      <p role="status" className="mt-3 border-s-2 border-water ps-3 empty:hidden">
        {noticeText(notice, window)}
      </p>
      <p className="mt-3">
        <LastDecision window={window} decision={decision} />
        {status === "held" && (
          <>
            {" It counts automatically from "}
            <Moment at={deadlineOf(window, scoring.holdMs)} />
            {closedAt === null && ", or before when its ratings look like the others"}, unless a person
            decides before.
          </>
        )}
      </p>
      {mayDecide ? (
        <>
          {request && (
            <p className="mt-3">
              The author requested a review on <Moment at={request.at} />: <q dir="auto">{request.why}</q>
            </p>
          )}
          <DecisionForm
            slug={slug}
            window={window}
            isOpen={notice === "already"}
            isRequested={request !== undefined}
          >
            <Facts window={window} counts={counts} />
            {ages && <Accounts ages={ages} />}
          </DecisionForm>
        </>
      ) : (
        <>
          <div className="mt-4 flex max-w-lg flex-col gap-4">
            <Facts window={window} counts={counts} />
          </div>
          {isAuthor ? (
            <ReviewForm slug={slug} window={window} request={request} />
          ) : (
            <p className="mt-3 text-[0.9375rem]">{otherDecidesText}</p>
          )}
        </>
      )}
    </article>
  );
}

function Facts({ window, counts }: { window: FloodWindow; counts: Counts }) {
  const past = pastOf(counts, window);
  const { count: ratings } = scoreFrom(window.counts);
  const { average: without, count: others } = scoreFrom(past);
  const { average: withIt } = scoreFrom(withCounts(past, window.counts, 1));
  return (
    <>
      <Spread window={window} past={past} />
      <p>
        {ratings === 0 ? (
          "All its ratings have been withdrawn."
        ) : others === 0 ? (
          "There is nothing to compare its ratings with."
        ) : (
          <>
            To be spread like the {others === 1 ? "one" : formatNumber(others)} without it,{" "}
            <b className="whitespace-nowrap">{inHundred(distance(window.counts, past))}</b> of its ratings
            would have to be different ones.
          </>
        )}
      </p>
      <p>
        Average: <b>{averageText(without)}</b> without it, <b>{averageText(withIt)}</b> with it.
      </p>
    </>
  );
}

function averageText(average: number | null): string {
  return average === null ? "none" : scoreText(average);
}

function inHundred(share: number): string {
  return `${Math.round(share * 100)} in 100`;
}

/**
 * A message about a decision just made.
 * Valid while the window's status is unchanged.
 */
function noticeText(notice: WindowNotice, { status, decidedBy }: FloodWindow): string | undefined {
  if (decidedBy === null) return undefined;
  if (notice === "already")
    return decidedBy === "person"
      ? "A decision on this flood had been made already: nothing was changed. Look again."
      : "The time for a decision on this flood ended meanwhile: nothing was changed. Look again.";
  if (notice !== "decided" || decidedBy !== "person") return undefined;
  return status === "counted" ? "Its ratings count now." : "Its ratings do not count now.";
}
