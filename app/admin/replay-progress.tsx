import { Moment } from "@/app/_components/time";
import { formatNumber } from "@/lib/limiter/text";
import type { ReplayProgress as Progress } from "@/lib/ratings/tally/background-replay";

/**
 * The progress of the scores that are being recalculated.
 * Some of their ratings were removed or restored.
 */
export function ReplayProgress({ posts, ratings, replayed, since }: Progress) {
  if (posts === 0) return <p className="text-quiet">No score is waiting to be recalculated.</p>;
  return (
    <>
      <p>
        {posts === 1 ? "The score of one post is" : `The scores of ${formatNumber(posts)} posts are`} still to
        be recalculated, since{" "}
        {since === null || since === 0 ? "the last update of the server" : <Moment at={since} />}.{" "}
        {formatNumber(Math.min(replayed, ratings))} of {formatNumber(ratings)} ratings are done.
      </p>
      <p className="mt-2 text-sm text-quiet">
        Some of their ratings were removed or restored. Readers already see the right ratings and average; the
        score follows when it is recalculated. Load this page again to see the progress.
      </p>
    </>
  );
}
