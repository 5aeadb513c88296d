import { translator } from "@/lib/i18n";
import type { Floods } from "@/lib/ratings/decisions/flood-window-decisions";
import { Timeline } from "./_timeline/timeline";
import { FloodDecisions } from "./flood-decisions";

interface RatingsOverTimeProps {
  floods: Floods;
  now: number;
  /** The post's. */
  direction: "ltr" | "rtl";
}

/** The score through time, expanded if there was a flood, with the decisions on it. */
export function RatingsOverTime({ floods, now, direction }: RatingsOverTimeProps) {
  const t = translator("scores");
  if (floods.windows.some(({ arrived }) => arrived > 0))
    return (
      <section
        id="timeline"
        aria-labelledby="timeline-heading"
        dir={direction}
        className="post-edge mt-12 scroll-mt-8"
      >
        <h2 id="timeline-heading" className="section-title mb-4">
          {t("timeline.heading")}
        </h2>
        <Timeline floods={floods} now={now} />
        <FloodDecisions floods={floods} now={now} />
      </section>
    );
  if (floods.days.length < 2) return null;
  return (
    <details dir={direction} className="post-edge mt-10">
      <summary className="text-sm text-quiet">{t("timeline.heading")}</summary>
      <div className="mt-4">
        <Timeline floods={floods} now={now} />
      </div>
    </details>
  );
}
