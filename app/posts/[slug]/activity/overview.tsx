import { type AttemptOutcome, barFills } from "@/app/_components/bar-fills";
import { IntervalTable } from "@/app/_components/interval-table";
import { ScrollArea } from "@/app/_components/scroll-area";
import { Moment } from "@/app/_components/time";
import { levelOf } from "@/lib/limiter/index";
import { formatNumber, formatPeriod } from "@/lib/limiter/text";
import type { PostActivity } from "@/lib/ratings/decisions/activity";
import { ActivityChart } from "./activity-chart";

interface OverviewProps extends Pick<PostActivity, "activity" | "isAuthor"> {
  slug: string;
}

/** Attempts over time by outcome. */
export function Overview({ slug, activity, isAuthor }: OverviewProps) {
  const { intervals, intervalMs, latest } = activity;
  const sum = (what: AttemptOutcome) => intervals.reduce((total, interval) => total + interval[what], 0);
  const tried = intervals.filter(({ accepted, held, refused }) => accepted + held + refused > 0);
  const measured = latest.find(({ policy, reason }) => policy === "rating.post" && reason)?.reason;
  const level = measured ? (levelOf(measured) ?? null) : null;
  const lab = `/lab?${new URLSearchParams({ trace: "post", post: slug })}`;
  const anyHeld = sum("held") > 0;
  if (tried.length === 0)
    return <p className="mt-8 text-quiet">There were no attempts to rate this post in this time.</p>;
  return (
    <figure className="mt-6">
      <figcaption className="mb-4 text-[0.9375rem]">
        <p className="flex flex-wrap gap-x-6">
          <Sum count={sum("accepted")} outcome="accepted" />
          {anyHeld && <Sum count={sum("held")} outcome="held" />}
          <Sum count={sum("refused")} outcome="refused" />
          <span className="text-quiet">per {formatPeriod(intervalMs)}</span>
        </p>
        {anyHeld && (
          <p className="mt-2 text-sm text-quiet">
            Held ratings are saved with their flood and did not count when they arrived, whether they were
            over the limit themselves or not. Those just before the flood was noticed are among them.
          </p>
        )}
      </figcaption>
      <ActivityChart intervals={intervals} intervalMs={intervalMs} level={level} />
      <details className="mt-4 text-sm">
        <summary className="text-quiet">As a table</summary>
        <ScrollArea label="Tries over time">
          <IntervalTable
            rows={tried.map((interval) => ({ ...interval, level: interval[level?.nearest ?? "highest"] }))}
            levelName={level?.name}
            when={(from) => <Moment at={from} />}
          />
        </ScrollArea>
      </details>
      {isAuthor && (
        <p className="mt-4 text-sm">
          <a href={lab}>Try other limits on these attempts</a>
        </p>
      )}
    </figure>
  );
}

/** A number with a legend of its bars. */
function Sum({ count, outcome }: { count: number; outcome: AttemptOutcome }) {
  const { text, bar } = barFills[outcome];
  return (
    <span className={`inline-flex items-center gap-2 ${text}`}>
      <svg width="10" height="10" aria-hidden="true">
        <rect x="0.5" y="0.5" width="9" height="9" className={bar} />
      </svg>
      <span>
        {formatNumber(count)} {outcome}
      </span>
    </span>
  );
}
