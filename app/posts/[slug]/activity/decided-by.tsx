import { Moment } from "@/app/_components/time";
import type { SavedWindowDecision } from "@/lib/ratings/decisions/activity";
import type { FloodWindow } from "@/lib/ratings/floods/flood-window";

/** The maker of a decision, to follow "by". */
export function DecidedBy({ decision: { decidedBy, username } }: { decision: SavedWindowDecision }) {
  switch (decidedBy) {
    case "shape":
      return "the spread of its ratings";
    case "time":
      return "time";
    case "person":
      return username === null ? "a deleted account" : <bdi>{username}</bdi>;
  }
}

interface LastDecisionProps {
  window: FloodWindow;
  /** The last decision; undefined if there is none or it is not listed any more. */
  decision: SavedWindowDecision | undefined;
}

/** A window's last decision as a sentence. */
export function LastDecision({ window: { status, decidedBy }, decision }: LastDecisionProps) {
  const when = decision && (
    <>
      {" on "}
      <Moment at={decision.at} />
    </>
  );
  switch (decidedBy) {
    case null:
      return "There is no decision yet.";
    case "shape":
      return status === "counted" ? (
        <>Counted automatically{when}: its ratings are spread like the post’s others.</>
      ) : (
        <>Held again automatically{when}: its ratings are no longer spread like the post’s others.</>
      );
    case "time":
      return (
        <>Counted automatically{when}: it had been held for as long as possible, and no person had decided.</>
      );
    case "person":
      return (
        <>
          {status === "counted" ? "Included" : "Excluded"} by{" "}
          {decision ? <DecidedBy decision={decision} /> : "a person"}
          {when}
          {decision?.why ? (
            <>
              : <q dir="auto">{decision.why}</q>
            </>
          ) : (
            "."
          )}
        </>
      );
  }
}
