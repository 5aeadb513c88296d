/** Texts about limits during an outage of their store. */

import type { Outage } from "@/lib/limiter/index";
import { formatTenths } from "@/lib/limiter/text";
import type { Limit } from "@/lib/limits";

/** A sentence per outage mode with its limits; shadow policies do nothing. */
export function outageTexts(policies: readonly Pick<Limit, "name" | "mode" | "outage">[]): string[] {
  const active = policies.filter(({ mode }) => mode !== "shadow");
  const byWay = Map.groupBy(active, ({ outage }) => outageText(outage));
  return [...byWay].map(([way, those]) => {
    const names = those.length === active.length ? "Every limit" : those.map(({ name }) => name).join(", ");
    return `${names}: ${way}.`;
  });
}

function outageText(outage: Outage): string {
  if (outage === "closed") return "everything is refused";
  if (outage === "open") return "everything is let through";
  return `each node counts by itself, up to ${formatTenths(outage.share * 100)}% of what the limit allows`;
}
