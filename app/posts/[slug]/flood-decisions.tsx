import { Decider } from "@/app/_components/decider";
import { Day, Days } from "@/app/_components/time";
import { translator } from "@/lib/i18n";
import type { Floods } from "@/lib/ratings/decisions/flood-window-decisions";

/** Most decisions shown to readers. */
const shownMaximum = 20;

/** The decisions on the post's floods, their makers and reasons, for all readers. */
export function FloodDecisions({ floods, now }: { floods: Floods; now: number }) {
  const { windows, decisions } = floods;
  const t = translator("flood");
  if (decisions.length === 0) return null;
  const shown = decisions.slice(0, shownMaximum);
  return (
    <ul aria-label={t("decisions.label")} className="mt-5 flex flex-col gap-2 text-[0.9375rem]">
      {shown.map((decision) => {
        const window = windows.find(({ number }) => number === decision.window);
        const { at, why } = decision;
        const status = decision.status === "counted" ? "counted" : "excluded";
        const facts = {
          count: window?.arrived ?? decision.ratings,
          days: () => <Days from={window?.openedAt ?? at} to={window?.lastAt ?? at} now={now} />,
          by: () => <Decider decision={decision} />,
          time: () => <Day at={at} />,
        };
        return (
          <li key={decision.id}>
            {why
              ? t.rich(`decisions.${status}Why`, { ...facts, why: () => <q dir="auto">{why}</q> })
              : t.rich(`decisions.${status}`, facts)}
          </li>
        );
      })}
      {decisions.length > shown.length && (
        <li className="text-quiet">{t("decisions.earlier", { count: decisions.length - shown.length })}</li>
      )}
    </ul>
  );
}
