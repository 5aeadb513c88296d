import { many } from "@/app/_components/figures";
import { ratingsText } from "@/app/_components/score";
import { Days } from "@/app/_components/time";
import type { FloodWindow } from "@/lib/ratings/flood-window";
import { scoreFrom } from "@/lib/ratings/score";
import type { Decider } from "@/lib/ratings/windows";

interface FloodMarkerProps {
  /** Those whose ratings do not count, the newest first; at least one. */
  windows: readonly FloodWindow[];
  /** Who excluded the newest one. */
  decider: Decider | null;
  now: number;
  /** A link to the other way to count. */
  children: React.ReactNode;
}

/** Says that there was a flood whose ratings do not count, and what became of them. */
export function FloodMarker({ windows: [newest, ...older], decider, now, children }: FloodMarkerProps) {
  if (!newest) return null;
  const isHeld = newest.status === "held";
  return (
    <div className={`border-s-2 ps-3 text-[0.9375rem] ${isHeld ? "border-amber" : "border-quiet"}`}>
      <p className={`text-balance ${isHeld ? "font-medium text-amber" : ""}`}>
        Unusual activity on <Days from={newest.openedAt} to={newest.lastAt} now={now} />:{" "}
        {becameOf(newest, decider)}.
      </p>
      <p className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {older.length > 0 && (
          <a href="#timeline">
            {older.length === 1 ? "And 1 more flood" : `And ${many(older.length)} more floods`}
          </a>
        )}
        {children}
      </p>
    </div>
  );
}

function becameOf({ status, counts }: FloodWindow, decider: Decider | null): string {
  const { count } = scoreFrom(counts);
  const ratings = ratingsText(count);
  if (status === "held") return `${ratings} ${count === 1 ? "is" : "are"} held`;
  const excluded = `${ratings} ${count === 1 ? "was" : "were"} excluded`;
  return decider ? `${excluded} by ${deciders[decider]}` : excluded;
}

const deciders: Record<Decider, string> = { author: "the author", administrator: "an administrator" };
