import { deciderText } from "@/app/_components/decider";
import { Days } from "@/app/_components/time";
import { translator } from "@/lib/i18n";
import type { DeciderRole, ShownWindow } from "@/lib/ratings/decisions/flood-window-decisions";

interface FloodMarkerProps {
  /** Windows whose ratings do not count, the most important first; at least one. */
  windows: readonly ShownWindow[];
  /** The role of the person who excluded the first window. */
  decider: DeciderRole | null;
  now: number;
  /** A link to the score counted the other way. */
  children: React.ReactNode;
}

/** A notice of a flood whose ratings do not count. */
export function FloodMarker({ windows: [first, ...others], decider, now, children }: FloodMarkerProps) {
  const t = translator("flood");
  if (!first) return null;
  const { status, openedAt, lastAt, arrived: count } = first;
  const isHeld = status === "held";
  const days = () => <Days from={openedAt} to={lastAt} now={now} />;
  return (
    <div className={`border-s-2 ps-3 text-[0.9375rem] ${isHeld ? "border-amber" : "border-quiet"}`}>
      <p className={`text-balance ${isHeld ? "font-medium text-amber" : ""}`}>
        {isHeld
          ? t.rich("marker.held", { count, days })
          : decider
            ? t.rich("marker.excludedBy", { count, days, role: deciderText(decider) })
            : t.rich("marker.excluded", { count, days })}
      </p>
      <p className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {others.length > 0 && <a href="#timeline">{t("marker.others", { count: others.length })}</a>}
        {children}
        <a href="/how-scores-work#floods">{t("marker.what")}</a>
      </p>
    </div>
  );
}
