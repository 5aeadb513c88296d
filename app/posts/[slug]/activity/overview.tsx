import { AsTable } from "@/app/_components/as-table";
import { type AttemptOutcome, barFills } from "@/app/_components/bar-fills";
import { durationText } from "@/app/_components/duration-text";
import { IntervalTable } from "@/app/_components/interval-table";
import { Moment, Second } from "@/app/_components/time";
import { translator } from "@/lib/i18n";
import { type Level, levelOf } from "@/lib/limiter/index";
import type { Interval, PostActivity } from "@/lib/ratings/decisions/activity";
import { ActivityChart } from "./activity-chart";

interface OverviewProps extends Pick<PostActivity, "activity" | "isAuthor"> {
  slug: string;
}

/** Attempts over time by outcome. */
export function Overview({ slug, activity, isAuthor }: OverviewProps) {
  const { intervals, intervalMs, latest } = activity;
  const t = translator("activity");
  const sum = (what: AttemptOutcome) => intervals.reduce((total, interval) => total + interval[what], 0);
  const tried = intervals.filter(({ accepted, held, refused }) => accepted + held + refused > 0);
  const measured = latest.find(({ policy, reason }) => policy === "rating.post" && reason)?.reason;
  const level = measured ? (levelOf(measured) ?? null) : null;
  const lab = `/lab?${new URLSearchParams({ trace: "post", post: slug })}`;
  const [held, refused] = [sum("held"), sum("refused")];
  if (tried.length === 0) return <p className="mt-8 text-quiet">{t("attempts.none")}</p>;
  return (
    <figure className="mt-6">
      <figcaption className="mb-4 text-[0.9375rem]">
        <p>
          {t("attempts.sums", { saved: sum("accepted") + held, refused })}{" "}
          <span className="text-quiet">{t("attempts.bar", { duration: durationText(intervalMs) })}</span>
        </p>
        <p className="mt-2 flex flex-wrap gap-x-6">
          <Key outcome="accepted" />
          {held > 0 && <Key outcome="held" />}
          {refused > 0 && <Key outcome="refused" />}
        </p>
        {held > 0 && <p className="mt-2 text-sm text-quiet">{t("attempts.heldNote")}</p>}
      </figcaption>
      <ActivityChart intervals={intervals} intervalMs={intervalMs} level={level} />
      <AsTable label={t("attempts.table")}>
        <IntervalTable
          rows={tried.map((interval) => ({ ...interval, level: usedPercent(level, interval) }))}
          levelName={t("attempts.limitPercent")}
          when={(from) => (intervalMs < 60_000 ? <Second at={from} /> : <Moment at={from} />)}
        />
      </AsTable>
      {isAuthor && (
        <p className="mt-4 text-sm">
          <a href={lab}>{t("attempts.lab")}</a>
        </p>
      )}
    </figure>
  );
}

/** How much of the limit was used at most in an interval. */
function usedPercent(level: Level | null, interval: Interval): number | null {
  const value = level && interval[level.nearest];
  if (!level || value === null) return null;
  const share = level.nearest === "highest" ? value / level.threshold : 1 - value / level.top;
  return Math.round(100 * Math.max(0, share));
}

/** A legend of the bars. */
function Key({ outcome }: { outcome: AttemptOutcome }) {
  const { text, bar } = barFills[outcome];
  return (
    <span className={`inline-flex items-center gap-2 ${text}`}>
      <svg width="10" height="10" aria-hidden="true">
        <rect x="0.5" y="0.5" width="9" height="9" className={bar} />
      </svg>
      {translator("activity")(`attempts.${outcome}`)}
    </span>
  );
}
