import { ScrollArea } from "@/app/_components/scroll-area";
import { formatter, translator } from "@/lib/i18n";
import type { AccountAges } from "@/lib/ratings/decisions/account-ages";
import type { RaterClusters } from "@/lib/ratings/decisions/rater-clusters";
import { ageLimitsDays } from "@/lib/ratings/floods/flood-detector";

/**
 * A window's raters compared with the post's others.
 * Clusters of networks and registrations, and the ages of accounts.
 */
export function Accounts({ ages }: { ages: AccountAges }) {
  const { window, own, others, ownClusters, otherClusters } = ages;
  const t = translator("flood");
  const format = formatter();
  return (
    <>
      <Clusters own={ownClusters} others={otherClusters} />
      <ScrollArea label={t("accounts.label", { number: window })}>
        <table className="table numbers">
          <thead>
            <tr>
              <th scope="col">{t("accounts.age")}</th>
              <th scope="col">{t("spread.flood")}</th>
              <th scope="col">{t("spread.others")}</th>
            </tr>
          </thead>
          <tbody>
            {own.map((ofFlood, band) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the index is the age band
              <tr key={band}>
                <th scope="row">{bandText(band)}</th>
                {[ofFlood, others[band] ?? 0].map((some, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the columns are always these two
                  <td key={column} className={some === 0 ? "text-quiet" : undefined}>
                    {format.number(some)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      <p className="text-sm text-quiet">{t("accounts.note")}</p>
    </>
  );
}

function Clusters({ own, others }: { own: RaterClusters; others: RaterClusters }) {
  const t = translator("flood");
  const network = { count: own.inOneNetwork, all: own.withNetwork };
  const sameDay = { count: own.registeredWithinDay, all: own.withAge };
  if (own.withNetwork <= 1 && own.withAge <= 1) return null;
  return (
    <>
      <ul className="list-disc ps-5">
        {own.withNetwork > 1 && (
          <li>
            {others.withNetwork > 0
              ? t("accounts.network", {
                  ...network,
                  others: others.inOneNetwork,
                  allOthers: others.withNetwork,
                })
              : t("accounts.networkAlone", network)}
          </li>
        )}
        {own.withAge > 1 && (
          <li>
            {others.withAge > 0
              ? t("accounts.sameDay", {
                  ...sameDay,
                  others: others.registeredWithinDay,
                  allOthers: others.withAge,
                })
              : t("accounts.sameDayAlone", sameDay)}
          </li>
        )}
      </ul>
      {own.withNetwork > 1 && <p className="text-sm text-quiet">{t("accounts.networkNote")}</p>}
    </>
  );
}

function bandText(band: number): string {
  const t = translator("flood");
  const [from, to] = [ageLimitsDays[band - 1], ageLimitsDays[band]];
  if (from === undefined) return t("accounts.under", { days: to ?? 0 });
  return to === undefined ? t("accounts.over", { days: from }) : t("accounts.between", { from, to });
}
