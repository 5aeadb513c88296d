import { formatter, translator } from "@/lib/i18n";
import type { SavedWindowDecision } from "@/lib/ratings/decisions/activity";
import type { FloodWindow } from "@/lib/ratings/floods/flood-window";

/** The person who made a decision. */
export function DecidedBy({ username }: Pick<SavedWindowDecision, "username">) {
  return username === null ? translator("flood")("deletedAccount") : <bdi>{username}</bdi>;
}

interface LastDecisionProps {
  window: FloodWindow;
  /** The last decision; undefined if there is none or it is not listed any more. */
  decision: SavedWindowDecision | undefined;
}

/** A window's last decision as a sentence; nothing without one. */
export function LastDecision({ window: { status, decidedBy }, decision }: LastDecisionProps) {
  const t = translator("flood");
  const date =
    decision &&
    formatter().dateTime(new Date(decision.at), {
      day: "numeric",
      month: "long",
      hour: "2-digit",
      minute: "2-digit",
    });
  const when = { dated: date === undefined ? "no" : "yes", date: date ?? "" };
  switch (decidedBy) {
    case null:
      return null;
    case "shape":
      return <>{t(status === "counted" ? "decided.likeOthers" : "decided.unlikeOthers", when)} </>;
    case "time":
      return t("decided.time", when);
    case "person": {
      const is = status === "counted" ? "counted" : "excluded";
      const by = () => (decision ? <DecidedBy username={decision.username} /> : t("aPerson"));
      const why = decision?.why;
      return why
        ? t.rich(`decided.${is}Why`, { ...when, by, why: () => <q dir="auto">{why}</q> })
        : t.rich(`decided.${is}`, { ...when, by });
    }
  }
}
