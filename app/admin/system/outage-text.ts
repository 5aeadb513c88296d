/** Texts about limits during an outage of their store. */

import { limitName } from "@/app/_components/limit-name";
import { formatter, translator } from "@/lib/i18n";
import type { Outage } from "@/lib/limiter/index";
import type { Limit } from "@/lib/limits";

/** A sentence per outage mode with its limits; shadow policies do nothing. */
export function outageTexts(
  policies: readonly Pick<Limit, "name" | "counts" | "mode" | "outage">[],
): string[] {
  const t = translator("adminSystem");
  const active = policies.filter(({ mode }) => mode !== "shadow");
  const byWay = Map.groupBy(active, ({ outage }) => outageText(outage));
  return [...byWay].map(([what, those]) =>
    those.length === active.length
      ? t("outage.all", { what })
      : t("outage.some", {
          what,
          names: formatter().list(those.map((limit) => limitName(limit.name, limit))),
        }),
  );
}

function outageText(outage: Outage): string {
  const t = translator("adminSystem");
  if (outage === "closed") return t("outage.closed");
  if (outage === "open") return t("outage.open");
  return t("outage.local", { share: outage.share });
}
