import type { Metadata } from "next";
import { durationText } from "@/app/_components/duration-text";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { declareNoScripts } from "@/lib/request/current-request";
import { FloodChart } from "./flood-chart";
import { Statistics } from "./statistics";

export function generateMetadata(): Metadata {
  const t = translator("scores");
  return { title: t("howScoresWork"), description: t("page.description") };
}

/** For readers who never heard of a rate limit: the chart first, figures last. */
export default async function HowScoresWorkPage() {
  declareNoScripts();
  const t = translator("scores");
  const { limits, ratingMaxWaitMs, scoring } = app();
  const modes = limits["rating.post"].map(({ mode }) => mode);
  const holds = scoring.detectsFloods || modes.includes("hold");
  const refuses = modes.includes("enforce");
  const hold = durationText(scoring.holdMs);
  return (
    <article className="max-w-[66ch]">
      <h1 className="page-title">{t("howScoresWork")}</h1>
      <p className="mt-4 text-lg">{t("page.lead")}</p>
      <div className="mt-8">
        <FloodChart />
      </div>
      <div className="prose mt-10">
        <h2 id="my-rating">{t("page.mine.title")}</h2>
        <p>{t("page.mine.counts")}</p>
        <h2 id="the-score">{t("page.slow.title")}</h2>
        <p>{t("page.slow.time")}</p>
        <p>{t("page.slow.arrives")}</p>
        <h2 id="floods">{t("page.flood.title")}</h2>
        <p>{t("page.flood.different")}</p>
        {holds && <p>{t("page.flood.uncounted")}</p>}
        {refuses && (
          <p>
            {ratingMaxWaitMs > 0
              ? t("page.flood.waits", { duration: durationText(ratingMaxWaitMs) })
              : t("page.flood.refused")}
          </p>
        )}
        {!holds && !refuses && <p>{t("page.flood.onlySlow")}</p>}
        {holds && (
          <>
            <h2 id="who-decides">{t("page.who.title")}</h2>
            <p>{t("page.who.moderators")}</p>
            <p>{t("page.who.undecided", { duration: hold })}</p>
            <p>{t("page.who.check")}</p>
          </>
        )}
        <Statistics detects={scoring.detectsFloods} />
        <p>{t.rich("page.lab", { link: (chunks) => <a href="/lab">{chunks}</a> })}</p>
      </div>
    </article>
  );
}
