import { Moment } from "@/app/_components/time";
import { translator } from "@/lib/i18n";
import type { Removal } from "@/lib/removals";

const shownMaximum = 50;

/** Deleted posts and accounts that are still being removed, with their progress. */
export function RemovalList({ removals }: { removals: readonly Removal[] }) {
  const t = translator("adminSystem");
  if (removals.length === 0) return <p className="text-quiet">{t("removals.none")}</p>;
  return (
    <>
      <p className="mb-4 text-sm text-quiet">{t("removals.help")}</p>
      <ul className="flex flex-col gap-2">
        {removals
          .slice(0, shownMaximum)
          .map(({ id, kind, subjectId, startedAt, ratings, ratingsRemoved }) => (
            <li key={id}>
              {t.rich(`removals.${kind}`, {
                id: String(subjectId),
                time: () => <Moment at={startedAt} />,
                progress:
                  ratings === 0
                    ? t("removals.noRatings")
                    : t("removals.progress", { done: Math.min(ratingsRemoved, ratings), ratings }),
              })}
            </li>
          ))}
      </ul>
      {removals.length > shownMaximum && (
        <p className="mt-3 text-sm text-quiet">
          {t("removals.more", { count: removals.length - shownMaximum })}
        </p>
      )}
    </>
  );
}
