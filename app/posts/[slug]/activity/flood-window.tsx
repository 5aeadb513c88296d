import { otherDecidesText } from "@/app/_components/decider";
import { DecisionForm, DecisionOptions } from "@/app/_components/decision-form";
import { SpanOfTime } from "@/app/_components/span-of-time";
import { Day, Moment } from "@/app/_components/time";
import { translator } from "@/lib/i18n";
import { windowAnchor } from "@/lib/paths";
import { type AccountAges, agesMaximum } from "@/lib/ratings/decisions/account-ages";
import type { SavedWindowDecision } from "@/lib/ratings/decisions/activity";
import type { FloodPreview } from "@/lib/ratings/decisions/flood-previews";
import { suggestionFor } from "@/lib/ratings/decisions/flood-summary";
import type { ShownWindow } from "@/lib/ratings/decisions/flood-window-decisions";
import type { ReviewRequest } from "@/lib/ratings/decisions/review-requests";
import { deadlineOf, isUndecided, pastOf } from "@/lib/ratings/floods/flood-window";
import type { Counts } from "@/lib/ratings/score/score";
import { scoring } from "@/lib/ratings/tally/scoring-settings";
import { Accounts } from "./accounts";
import { LastDecision } from "./decided-by";
import { Effect, FloodDescription } from "./flood-sentences";
import { floodTitle, suggestionText } from "./flood-text";
import { Raters } from "./raters";
import { ReviewForm } from "./review-form";
import { Spread } from "./spread";

export type WindowNotice = "decided" | "already" | undefined;

interface FloodWindowPartProps {
  slug: string;
  window: ShownWindow;
  /** The post's counted ratings. */
  counts: Counts;
  /** The score as it is, which `preview` shows too; null without ratings. */
  score: number | null;
  /** The last decision on the window. */
  decision: SavedWindowDecision | undefined;
  /** The author's open request for a review. */
  request: ReviewRequest | undefined;
  /** Whether the viewer decides; an author requests a review instead. */
  mayDecide: boolean;
  isAuthor: boolean;
  /** Whether the author is offered an email about each flood. */
  offersMails: boolean;
  /** The scores by each decision, while there is no final one. */
  preview: FloodPreview | undefined;
  /** Only for deciders, and for the newest windows. */
  ages: AccountAges | undefined;
  notice: WindowNotice;
}

const statusColours = { held: "text-amber", counted: "text-water", excluded: "text-quiet" } as const;
const edges = { held: "border-s-amber", counted: "border-s-water", excluded: "border-s-quiet" } as const;

/**
 * The card of one flood.
 * A flood, its effect on the score, its outcome by itself and by each decision, and a suggestion. With the form to
 * decide, or to request a review.
 */
export function FloodWindowPart({
  slug,
  window,
  counts,
  score,
  decision,
  request,
  mayDecide,
  isAuthor,
  offersMails,
  preview,
  ages,
  notice,
}: FloodWindowPartProps) {
  const t = translator("flood");
  const { number, status, openedAt, lastAt, closedAt } = window;
  const anchor = windowAnchor(number);
  const suggestion = suggestionFor(
    window,
    counts,
    ages && { own: ages.ownClusters, others: ages.otherClusters },
  );
  const deadline = () => <Day at={deadlineOf(window, scoring.holdMs)} />;
  return (
    <article
      id={anchor}
      aria-labelledby={`${anchor}-title`}
      className={`mt-6 scroll-mt-4 rounded-md border border-s-[3px] border-hairline p-4 sm:px-6 sm:py-5 ${edges[status]}`}
    >
      <p className={`text-sm font-medium ${statusColours[status]}`}>{t(`status.${status}`)}</p>
      <h3 id={`${anchor}-title`} className="mt-1 text-xl font-semibold text-balance">
        <a href={`#${anchor}`} className="text-ink">
          {floodTitle(window)}
        </a>
      </h3>
      <p className="mt-1 text-sm text-quiet">
        <SpanOfTime from={openedAt} to={lastAt} />
        {closedAt === null && <> · {t("goingOn")}</>}
      </p>
      <p role="status" className="mt-3 border-s-2 border-water ps-3 empty:hidden">
        {noticeText(notice, window)}
      </p>
      <FloodDescription window={window} counts={counts} />
      <Effect window={window} counts={counts} score={score} />
      <p className="mt-3">
        <LastDecision window={window} decision={decision} />
        {status === "held" && t.rich(closedAt === null ? "next.open" : "next.held", { time: deadline })}
      </p>
      {!mayDecide && preview && (
        <DecisionOptions window={window} isRequested={request !== undefined} preview={preview} />
      )}
      {isUndecided(window) && <p className="mt-3">{suggestionText(suggestion, window, counts)}</p>}
      {mayDecide && request && (
        <p className="mt-3">
          {t.rich("review.byAuthor", {
            time: () => <Moment at={request.at} />,
            why: () => <q dir="auto">{request.why}</q>,
          })}
        </p>
      )}
      <details className="mt-4 text-[0.9375rem]">
        <summary className="text-quiet">{t("more")}</summary>
        <div className="mt-3 flex flex-col gap-4">
          <Spread window={window} past={pastOf(counts, window)} />
          {mayDecide && ages && (
            <>
              <Accounts ages={ages} />
              <Raters raters={ages.raters} count={window.arrived - window.withdrawn} />
            </>
          )}
          {mayDecide && !ages && (
            <p className="text-sm text-quiet">{t("raters.onlyNewest", { count: agesMaximum })}</p>
          )}
        </div>
      </details>
      {mayDecide ? (
        <DecisionForm
          slug={slug}
          window={window}
          isOpen={notice === "already"}
          isRequested={request !== undefined}
          preview={preview}
        />
      ) : isAuthor ? (
        <>
          {status === "held" && !request && <p className="mt-3 text-quiet">{t("authorHint")}</p>}
          <ReviewForm slug={slug} window={window} request={request} />
        </>
      ) : (
        <p className="mt-3 text-[0.9375rem]">{otherDecidesText()}</p>
      )}
      {offersMails && (
        <p className="mt-3 text-sm text-quiet">
          {t.rich("mailOffer", { link: (chunks) => <a href="/account#mail">{chunks}</a> })}
        </p>
      )}
    </article>
  );
}

/**
 * A message about a decision just made.
 * Valid while the window's status is unchanged.
 */
function noticeText(notice: WindowNotice, { status, decidedBy }: ShownWindow): string | undefined {
  const t = translator("flood");
  if (decidedBy === null) return undefined;
  if (notice === "already") return t(decidedBy === "person" ? "notice.alreadyDecided" : "notice.alreadyTime");
  if (notice !== "decided" || decidedBy !== "person") return undefined;
  return t(status === "counted" ? "notice.counted" : "notice.excluded");
}
