import { deciderText } from "@/app/_components/decider";
import { ratingsText } from "@/app/_components/score";
import { Days } from "@/app/_components/time";
import { formatNumber } from "@/lib/limiter/text";
import type { DeciderRole } from "@/lib/ratings/decisions/flood-window-decisions";
import type { FloodWindow } from "@/lib/ratings/floods/flood-window";
import { scoreFrom } from "@/lib/ratings/score/score";

interface FloodMarkerProps {
  /** Windows whose ratings do not count, the most important first; at least one. */
  windows: readonly FloodWindow[];
  /** The role of the person who excluded the first window. */
  decider: DeciderRole | null;
  now: number;
  /** A link to the score counted the other way. */
  children: React.ReactNode;
}

/** A notice of a flood whose ratings do not count. */
export function FloodMarker({ windows: [first, ...others], decider, now, children }: FloodMarkerProps) {
  if (!first) return null;
  const isHeld = first.status === "held";
  return (
    <div className={`border-s-2 ps-3 text-[0.9375rem] ${isHeld ? "border-amber" : "border-quiet"}`}>
      <p className={`text-balance ${isHeld ? "font-medium text-amber" : ""}`}>
        Unusual activity on <Days from={first.openedAt} to={first.lastAt} now={now} />:{" "}
        {becameOf(first, decider)}.
      </p>
      <p className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {others.length > 0 && (
          <a href="#timeline">
            {others.length === 1 ? "And 1 more flood" : `And ${formatNumber(others.length)} more floods`}
          </a>
        )}
        {children}
        <a href="/how-scores-work#floods">What is this?</a>
      </p>
    </div>
  );
}

function becameOf({ status, counts }: FloodWindow, decider: DeciderRole | null): string {
  const { count } = scoreFrom(counts);
  const ratings = ratingsText(count);
  if (status === "held") return `${ratings} ${count === 1 ? "is" : "are"} held`;
  const excluded = `${ratings} ${count === 1 ? "was" : "were"} excluded`;
  return decider ? `${excluded} by ${deciderText(decider)}` : excluded;
}
