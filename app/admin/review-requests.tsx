import { otherDecidesText } from "@/app/_components/decider";
import { PageLinks } from "@/app/_components/page-links";
import { PostTitle } from "@/app/_components/post-title";
import { scoreText } from "@/app/_components/score";
import { SpanOfTime } from "@/app/_components/span-of-time";
import { Moment } from "@/app/_components/time";
import { formatter, translator } from "@/lib/i18n";
import { userPath, windowPath } from "@/lib/paths";
import type { RequestedReview } from "@/lib/ratings/decisions/review-requests";
import { pastOf } from "@/lib/ratings/floods/flood-window";
import { scoreFrom, withCounts } from "@/lib/ratings/score/score";

interface ReviewRequestsProps {
  requests: readonly RequestedReview[];
  /** The path of the first page; none on itself. */
  first: string | undefined;
  /** The path of the next page; none on the last. */
  next: string | null;
}

/** Authors' open requests for a review, newest first, each with its flood. */
export function ReviewRequests({ requests, first, next }: ReviewRequestsProps) {
  const t = translator("admin");
  return (
    <>
      {requests.length === 0 && <p className="text-quiet">{t("tasks.noMoreReviews")}</p>}
      <ol className="divide-y divide-hairline">
        {requests.map((each) => (
          <Requested key={`${each.slug} ${each.window.number}`} {...each} />
        ))}
      </ol>
      <PageLinks first={first} next={next} nextText={t("review.more")} />
    </>
  );
}

function Requested(requested: RequestedReview) {
  const { slug, title, lang, author, window, request, counts, mayDecide, isAuthor } = requested;
  const t = translator("admin");
  const past = pastOf(counts, window);
  const { average: without } = scoreFrom(past);
  const { average: withIt } = scoreFrom(withCounts(past, window.counts, 1));
  const number = formatter().number(window.number);
  return (
    <li className="py-5 first:pt-0 last:pb-0" aria-label={t("review.label", { title, number })}>
      <h3 className="line-clamp-3 font-reading text-[1.1875rem] leading-[1.35] font-semibold break-words">
        <a href={windowPath(slug, window.number)} className="text-ink hover:text-water">
          <PostTitle title={title} lang={lang} />
        </a>
      </h3>
      <p className="mt-1 text-sm text-quiet">
        {t("flood.number", { number })}
        {" · "}
        {t.rich(`review.facts.${window.status}`, {
          count: window.arrived,
          span: () => <SpanOfTime from={window.openedAt} to={window.lastAt} />,
          without: averageText(without),
          withIt: averageText(withIt),
        })}
      </p>
      <p className="mt-3">
        {t.rich("review.request", {
          name: () => (
            <a href={userPath(author)}>
              <bdi>{author}</bdi>
            </a>
          ),
          time: () => <Moment at={request.at} />,
          why: () => <q dir="auto">{request.why}</q>,
        })}
      </p>
      {mayDecide ? (
        <p className="mt-3">
          <a href={windowPath(slug, window.number)}>{t("review.decide")}</a>
        </p>
      ) : (
        <p className="mt-3 text-sm text-quiet">{isAuthor ? t("review.yours") : otherDecidesText()}</p>
      )}
    </li>
  );
}

function averageText(average: number | null): string {
  return average === null ? translator("admin")("review.noAverage") : scoreText(average, 1);
}
