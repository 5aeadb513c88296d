import { ScrollArea } from "@/app/_components/scroll-area";
import { formatNumber } from "@/lib/limiter/text";
import type { AccountAges } from "@/lib/ratings/account-ages";
import { ageLimitsDays } from "@/lib/ratings/flood-detector";

/** The ages of a window's accounts beside those of the post's other raters. */
export function Accounts({ ages: { window, own, others } }: { ages: AccountAges }) {
  const rows = [
    { name: "This window", counts: own },
    { name: "Without it", counts: others },
  ];
  return (
    <>
      <ScrollArea label={`Accounts of window ${window} by age`}>
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

function bandText(band: number): string {
  const [from, to] = [ageLimitsDays[band - 1], ageLimitsDays[band]];
  if (from === undefined) return `under ${to}`;
  return to === undefined ? `${from} or more` : `${from}–${to}`;
}
