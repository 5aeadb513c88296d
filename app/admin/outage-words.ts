/** What limits do while their states cannot be had, in words. */
import { formatTenths } from "@/app/_components/format-number";
import type { Outage } from "@/lib/limiter";
import type { Policy } from "@/lib/limits";

/** A sentence for each way of doing, with the limits that go that way; those in shadow do nothing. */
export function outageTexts(policies: readonly Pick<Policy, "name" | "mode" | "outage">[]): string[] {
  const deciding = policies.filter(({ mode }) => mode !== "shadow");
  const byWay = Map.groupBy(deciding, ({ outage }) => outageText(outage));
  return [...byWay].map(([way, those]) => {
    const names = those.length === deciding.length ? "Every limit" : those.map(({ name }) => name).join(", ");
    return `${names}: ${way}.`;
  });
}

function outageText(outage: Outage): string {
  if (outage === "closed") return "everything is refused";
  if (outage === "open") return "everything is let through";
  return `each node counts by itself, up to ${formatTenths(outage.share * 100)}% of what the limit allows`;
}
