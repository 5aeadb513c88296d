import { Decider } from "@/app/_components/decider";
import { ratingsText } from "@/app/_components/score";
import { Day, Days } from "@/app/_components/time";
import { formatNumber } from "@/lib/limiter/text";
import type { Floods } from "@/lib/ratings/decisions/flood-window-decisions";

/** Most decisions shown to readers. */
const shownMaximum = 20;

/** The decisions on the post's floods, their makers and reasons, for all readers. */
export function FloodDecisions({ floods, now }: { floods: Floods; now: number }) {
  const { windows, decisions } = floods;
  if (decisions.length === 0) return null;
  const shown = decisions.slice(0, shownMaximum);
  return (
    <ul aria-label="Decisions about unusual activity" className="mt-5 flex flex-col gap-2 text-[0.9375rem]">
      {shown.map((decision) => {
        const window = windows.find(({ number }) => number === decision.window);
        return (
          <li key={decision.id}>
            {ratingsText(decision.ratings)}
            {window && (
              <>
                {" of "}
                <Days from={window.openedAt} to={window.lastAt} now={now} />
              </>
            )}
            {decision.ratings === 1 ? " was " : " were "}
            {decision.status === "counted" ? "included" : "excluded"} by <Decider decision={decision} />, on{" "}
            <Day at={decision.at} />
            {decision.why ? (
              <>
                : <q dir="auto">{decision.why}</q>
              </>
            ) : (
              "."
            )}
          </li>
        );
      })}
      {decisions.length > shown.length && (
        <li className="text-quiet">And {formatNumber(decisions.length - shown.length)} earlier decisions.</li>
      )}
    </ul>
  );
}
