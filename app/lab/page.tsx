import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { forbiddenPage, notFoundPage } from "@/app/_components/no-page";
import { RefusedNotice } from "@/app/_components/refused-notice";
import { app } from "@/lib/app";
import { getUser, requireUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { isShort, labPath, labQuery } from "@/lib/lab/address";
import { ratingLimits } from "@/lib/lab/environment";
import { partOf, type TracePart } from "@/lib/lab/part";
import { labSettings } from "@/lib/lab/settings";
import { addressRefusal } from "@/lib/limits/address-limit";
import { clientAddress, declareNoScripts } from "@/lib/request/current-request";
import { env } from "@/lib/settings/env";
import { currentTime } from "@/lib/time/current-time";
import { freshPage } from "./fresh-page";
import { LabForm } from "./lab-form";
import { Results } from "./results";
import { shownTrace } from "./shown-trace";

export async function generateMetadata({ searchParams }: PageProps<"/lab">): Promise<Metadata> {
  const isBare = Object.keys(await searchParams).length === 0;
  const t = translator("lab");
  return {
    title: t("title"),
    description: t("description"),
    alternates: { canonical: "/lab" },
    // There are as many of these pages as settings.
    ...(!isBare && { robots: { index: false } }),
  };
}

export default async function LabPage({ searchParams }: PageProps<"/lab">) {
  const parameters = await searchParams;
  const query = labQuery(parameters, freshPage);
  const path = labPath(query);
  if (!isShort(parameters, query)) redirect(path);
  const isOfPost = query.trace === "post" && query.post !== "";
  const user = isOfPost ? await requireUser(path) : await getUser();
  declareNoScripts();
  const found = await shownTrace(query, user);
  if (found.kind === "forbidden") return forbiddenPage();
  if (found.kind === "no-such-post") return notFoundPage();
  const settings = labSettings(query.settings, env);
  const part: TracePart | null = found.kind === "trace" ? partOf(found.trace, query) : null;
  // Cached results count, too: most of the page's time goes into its markup.
  const refused =
    found.kind === "trace"
      ? await addressRefusal(app(), "lab", {
          address: clientAddress(),
          username: user?.username,
          now: currentTime(),
        })
      : undefined;
  const traceErrors = found.kind === "nothing" ? found.errors : {};
  const { wins, further } = ratingLimits(env);
  const t = translator("lab");
  const hasRatingLimits = wins || further.length > 0;
  const errors = { ...settings.errors, ...part?.errors, ...traceErrors };
  return (
    <>
      <h1 className="page-title">{t("title")}</h1>
      <p className="mt-3 max-w-prose text-quiet">
        {t("intro")} {t(hasRatingLimits ? "changedSettings" : "settings")}
      </p>
      <LabForm query={query} settings={settings} errors={errors} user={user} />
      {refused && (
        <RefusedNotice
          id="results"
          refused={refused}
          unavailable={t("error.unavailable")}
          className="mt-10 scroll-mt-6"
        />
      )}
      {found.kind === "trace" && part && !refused && (
        <Results query={query} settings={settings} trace={found.trace} part={part} />
      )}
    </>
  );
}
