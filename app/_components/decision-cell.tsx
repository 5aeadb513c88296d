import { translator } from "@/lib/i18n";

const colours = { accepted: "text-water", held: "text-amber", refused: "font-medium text-amber" } as const;

/** An attempt's outcome as a table cell. */
export function DecisionCell({ allowed, held = false }: { allowed: boolean; held?: boolean }) {
  const outcome = allowed ? (held ? "held" : "accepted") : "refused";
  return <td className={colours[outcome]}>{translator("activity")(`outcome.${outcome}`)}</td>;
}
