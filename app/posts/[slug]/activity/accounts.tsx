import { ScrollArea } from "@/app/_components/scroll-area";
import { formatNumber } from "@/lib/limiter/text";
import type { AccountAges } from "@/lib/ratings/decisions/account-ages";
import type { RaterClusters } from "@/lib/ratings/decisions/rater-clusters";
import { ageLimitsDays } from "@/lib/ratings/floods/flood-detector";

/**
 * A window's raters compared with the post's others.
 * Clusters of networks and registrations, and the ages of accounts.
 */
export function Accounts({ ages }: { ages: AccountAges }) {
  const { window, own, others, ownClusters, otherClusters } = ages;
  const rows = [
    { name: "This flood", counts: own },
    { name: "Without it", counts: others },
  ];
  return (
    <>
      <Clusters own={ownClusters} others={otherClusters} />
      <ScrollArea label={`Accounts of flood ${window} by age`}>
        <table className="table min-w-96 [&_:is(th,td):not(:first-child)]:text-end">
          <thead>
            <tr>
              <th scope="col">Account’s age in days</th>
              {own.map((_, band) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the index is the age band
                <th key={band} scope="col" className="whitespace-nowrap">
                  {bandText(band)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, counts }) => (
              <tr key={name}>
                <th scope="row" className="whitespace-nowrap">
                  {name}
                </th>
                {counts.map((some, band) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the index is the age band
                  <td key={band} className={some === 0 ? "text-quiet" : undefined}>
                    {formatNumber(some)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      <p className="text-sm text-quiet">
        The ages of accounts when they rated, of the latest raters. Many accounts of one age, while other
        raters’ accounts have all ages, suggest a campaign. A single new account suggests nothing.
      </p>
    </>
  );
}

function Clusters({ own, others }: { own: RaterClusters; others: RaterClusters }) {
  const share = (some: number, all: number) => `${formatNumber(some)} of ${formatNumber(all)}`;
  if (own.withNetwork <= 1 && own.withAge <= 1) return null;
  return (
    <>
      <ul className="list-disc ps-5">
        {own.withNetwork > 1 && (
          <li>
            {share(own.inOneNetwork, own.withNetwork)} ratings come from one network
            {others.withNetwork > 0 &&
              `; of this post’s other ratings, ${share(others.inOneNetwork, others.withNetwork)}`}
            .
          </li>
        )}
        {own.withAge > 1 && (
          <li>
            {share(own.registeredWithinDay, own.withAge)} accounts were made within one day
            {others.withAge > 0 &&
              `; of this post’s other raters, ${share(others.registeredWithinDay, others.withAge)}`}
            .
          </li>
        )}
      </ul>
      {own.withNetwork > 1 && (
        <p className="text-sm text-quiet">
          A network is a range of internet addresses (/24 or /56): a school, a company or a mobile carrier can
          be one. Over several days, the largest network of each day is counted.
        </p>
      )}
    </>
  );
}

function bandText(band: number): string {
  const [from, to] = [ageLimitsDays[band - 1], ageLimitsDays[band]];
  if (from === undefined) return `under ${to}`;
  return to === undefined ? `${from} or more` : `${from}–${to}`;
}
