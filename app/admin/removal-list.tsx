import { Moment } from "@/app/_components/time";
import { formatNumber } from "@/lib/limiter/text";
import type { Removal } from "@/lib/removals";

const shownMaximum = 50;

/** Deleted posts and accounts that are still being removed, with their progress. */
export function RemovalList({ removals }: { removals: readonly Removal[] }) {
  if (removals.length === 0) return <p className="text-quiet">Nothing is being removed.</p>;
  return (
    <>
      <p className="mb-4 text-sm text-quiet">
        Readers no longer see these. What is left of them is removed a little at a time.
      </p>
      <ul className="flex flex-col gap-2">
        {removals
          .slice(0, shownMaximum)
          .map(({ id, kind, subjectId, startedAt, ratings, ratingsRemoved }) => (
            <li key={id}>
              {kind === "post" ? "Post" : "Account"} {subjectId}, deleted on <Moment at={startedAt} />:{" "}
              {ratings === 0
                ? "no ratings"
                : `${formatNumber(Math.min(ratingsRemoved, ratings))} of ${formatNumber(ratings)} ratings removed`}
            </li>
          ))}
      </ul>
      {removals.length > shownMaximum && (
        <p className="mt-3 text-sm text-quiet">
          And {formatNumber(removals.length - shownMaximum)} more, which wait for these.
        </p>
      )}
    </>
  );
}
