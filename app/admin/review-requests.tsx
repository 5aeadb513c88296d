import { otherDecidesText } from "@/app/_components/decider";
import { DecisionForm } from "@/app/_components/decision-form";
import { ratingsText, scoreText } from "@/app/_components/score";
import { SpanOfTime } from "@/app/_components/span-of-time";
import { Moment } from "@/app/_components/time";
import { formatNumber } from "@/lib/limiter/text";
import { userPath, windowPath } from "@/lib/paths";
import { type RequestedReview, requestsMaximum } from "@/lib/ratings/decisions/review-requests";
import { pastOf } from "@/lib/ratings/floods/flood-window";
import { scoreFrom, withCounts } from "@/lib/ratings/score/score";

/** Authors' open requests for a review, newest first, each with the form to decide. */
export function ReviewRequests({ requests }: { requests: readonly RequestedReview[] }) {
  if (requests.length === 0) return <p className="text-quiet">No author has requested a review.</p>;
  return (
    <>
      <ol className="divide-y divide-hairline">
        {requests.map((each) => (
          <Requested key={`${each.slug} ${each.window.number}`} {...each} />
        ))}
      </ol>
      {requests.length === requestsMaximum && (
        <p className="mt-3 text-sm text-quiet">
          There may be more: these are the latest {formatNumber(requestsMaximum)}.
        </p>
      )}
    </>
  );
}

function Requested({ slug, title, author, window, request, counts, mayDecide, isAuthor }: RequestedReview) {
  const past = pastOf(counts, window);
  const { average: without } = scoreFrom(past);
  const { average: withIt } = scoreFrom(withCounts(past, window.counts, 1));
  return (
    <li className="py-5 first:pt-0 last:pb-0" aria-label={`${title}, flood ${window.number}`}>
      <h3
        dir="auto"
        className="line-clamp-3 font-reading text-[1.1875rem] leading-[1.35] font-semibold break-words"
      >
        <a href={windowPath(slug, window.number)} className="text-ink hover:text-water">
          {title}
        </a>
      </h3>
      <p className="mt-1 text-sm text-quiet">
        <bdi>window {window.number}</bdi>: {ratingsText(window.arrived)} {window.status},{" "}
        <bdi dir="ltr">
          <SpanOfTime from={window.openedAt} to={window.lastAt} />
        </bdi>
        . Average: {averageText(without)} without it, {averageText(withIt)} with it.
      </p>
      <p className="mt-3">
        <a href={userPath(author)}>
          <bdi>{author}</bdi>
        </a>
        , the author, on <Moment at={request.at} />: <q dir="auto">{request.why}</q>
      </p>
      {mayDecide ? (
        <DecisionForm slug={slug} window={window} isOpen={false} isRequested />
      ) : (
        <p className="mt-3 text-sm text-quiet">
          {isAuthor ? "This post is yours: another person decides." : otherDecidesText()}
        </p>
      )}
    </li>
  );
}

function averageText(average: number | null): string {
  return average === null ? "none" : scoreText(average);
}
