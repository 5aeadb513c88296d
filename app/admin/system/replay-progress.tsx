import { Moment } from "@/app/_components/time";
import { translator } from "@/lib/i18n";
import type { ReplayProgress as Progress } from "@/lib/ratings/tally/background-replay";

/**
 * The progress of the scores that are being recalculated.
 * Some of their ratings were removed or restored.
 */
export function ReplayProgress({ posts, ratings, replayed, since }: Progress) {
  const t = translator("adminSystem");
  if (posts === 0) return <p className="text-quiet">{t("replays.none")}</p>;
  const figures = { posts, ratings, done: Math.min(replayed, ratings) };
  return (
    <>
      <p>
        {since === null || since === 0
          ? t("replays.sinceUpdate", figures)
          : t.rich("replays.since", { ...figures, time: () => <Moment at={since} /> })}
      </p>
      <p className="mt-2 text-sm text-quiet">{t("replays.help")}</p>
    </>
  );
}
