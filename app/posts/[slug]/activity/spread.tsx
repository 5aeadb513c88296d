import { ScoreBar } from "@/app/_components/score";
import { ScrollArea } from "@/app/_components/scroll-area";
import { formatter, translator } from "@/lib/i18n";
import type { FloodWindow } from "@/lib/ratings/floods/flood-window";
import { type Counts, scoreFrom } from "@/lib/ratings/score/score";

interface SpreadProps {
  window: FloodWindow;
  /** The counted ratings without the window's. */
  past: Counts;
}

/** The distribution of a window's ratings beside the post's others. */
export function Spread({ window, past }: SpreadProps) {
  const t = translator("flood");
  const format = formatter();
  const rows = [
    { name: t("spread.flood"), counts: window.counts },
    { name: t("spread.others"), counts: past },
  ];
  return (
    <ScrollArea label={t("spread.label", { number: window.number })}>
      <table className="table max-sm:[&_:is(th,td)]:pe-1 [&_:is(th,td):last-child]:pe-0 [&_:is(th,td):not(:first-child)]:w-[12.5%] [&_:is(th,td):not(:first-child)]:text-right">
        <thead>
          <tr>
            <th scope="col">{t("spread.stars")}</th>
            {window.counts.map((_, score) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the index is the score
              <th key={score} scope="col">
                {format.number(score)}
              </th>
            ))}
          </tr>
        </thead>
        {rows.map(({ name, counts }) => (
          <tbody key={name} className="[&_:is(th,td)]:border-b-0 [&_:is(th,td)]:pb-0">
            <tr>
              <th scope="row" className="whitespace-nowrap">
                {name}
              </th>
              {counts.map((some, score) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the index is the score
                <td key={score} className={some === 0 ? "text-quiet" : undefined}>
                  {format.number(some)}
                </td>
              ))}
            </tr>
            {scoreFrom(counts).count > 0 && (
              <tr>
                <td colSpan={7} className="pt-1.5 [&_svg]:h-2">
                  <ScoreBar counts={counts} />
                </td>
              </tr>
            )}
          </tbody>
        ))}
      </table>
    </ScrollArea>
  );
}
