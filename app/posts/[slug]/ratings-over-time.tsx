import type { Floods } from "@/lib/ratings/decisions/flood-window-decisions";
import { Timeline } from "./_timeline/timeline";
import { FloodDecisions } from "./flood-decisions";

/** The timeline of ratings, expanded if there was a flood, with its decisions. */
export function RatingsOverTime({ floods, now }: { floods: Floods; now: number }) {
  const windows = floods.windows
    .map(({ number, openedAt, lastAt, closedAt, status, arrived }) => ({
      number,
      from: openedAt,
      to: closedAt === null ? null : lastAt,
      status,
      count: arrived,
    }))
    .filter(({ count }) => count > 0);
  const timeline = <Timeline days={floods.days} windows={windows} now={now} />;
  if (windows.length > 0)
    return (
      <section id="timeline" aria-labelledby="timeline-heading" className="mt-12 scroll-mt-8">
        <h2 id="timeline-heading" className="section-title mb-4">
          {heading}
        </h2>
        {timeline}
        <FloodDecisions floods={floods} now={now} />
      </section>
    );
  if (floods.days.length < 2) return null;
  return (
    <details className="mt-10">
      <summary className="text-sm text-quiet">{heading}</summary>
      <div className="mt-4">{timeline}</div>
    </details>
  );
}

const heading = "Ratings over time";
