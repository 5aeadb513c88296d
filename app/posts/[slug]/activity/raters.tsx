import { ScrollArea } from "@/app/_components/scroll-area";
import { Day, Second } from "@/app/_components/time";
import { formatter, translator } from "@/lib/i18n";
import { userPath } from "@/lib/paths";
import type { ListedRater } from "@/lib/ratings/decisions/account-ages";

/** The users who gave a flood's ratings: only for the people who decide. */
export function Raters({ raters, count }: { raters: readonly ListedRater[]; count: number }) {
  const t = translator("flood");
  const format = formatter();
  if (raters.length === 0) return null;
  return (
    <details>
      <summary className="text-quiet">{t("raters.title")}</summary>
      {raters.length < count && (
        <p className="mt-2 text-sm text-quiet">{t("raters.latest", { count: raters.length })}</p>
      )}
      <ScrollArea label={t("raters.title")}>
        <table className="table stacked mt-2">
          <thead>
            <tr>
              <th scope="col">{t("raters.who")}</th>
              <th scope="col">{t("raters.stars")}</th>
              <th scope="col">{t("raters.when")}</th>
              <th scope="col">{t("raters.since")}</th>
            </tr>
          </thead>
          <tbody>
            {raters.map(({ username, score, at, registeredAt }) => (
              <tr key={username}>
                <th scope="row" className="whole">
                  <a href={userPath(username)}>
                    <bdi>{username}</bdi>
                  </a>
                </th>
                <td data-label={t("raters.stars")}>{format.number(score)}</td>
                <td className="whitespace-nowrap">
                  <Second at={at} />
                </td>
                <td data-label={t("raters.since")} className="whitespace-nowrap">
                  {registeredAt > 0 ? <Day at={registeredAt} /> : t("raters.unknown")}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </details>
  );
}
