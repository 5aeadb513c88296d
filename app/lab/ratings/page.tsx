import type { Metadata } from "next";
import { FormScript } from "@/app/_components/form-script";
import { formatter, translator } from "@/lib/i18n";
import { labPath, labQuery } from "@/lib/lab/address";
import { csvMaximum } from "@/lib/lab/csv";
import { formResult } from "@/lib/request/current-request";
import { algorithmText } from "../algorithm-text";
import { freshPage } from "../fresh-page";
import { compareRatings } from "./actions";
import { RatingsForm } from "./ratings-form";
import { returnedMaximum } from "./returned-maximum";

export function generateMetadata(): Metadata {
  return { title: translator("lab")("csv.title"), robots: { index: false } };
}

/** Compares the limits that the address chooses on pasted ratings. */
export default async function RatingsPage({ searchParams }: PageProps<"/lab/ratings">) {
  const t = translator("lab");
  const { rows, limits, settings } = labQuery(await searchParams, freshPage);
  const choices = { rows, limits, settings };
  const path = labPath(choices);
  return (
    <>
      <FormScript />
      <p className="text-sm text-quiet">
        <a href={path}>{t("title")}</a>
      </p>
      <h1 className="page-title mt-1">{t("csv.title")}</h1>
      <p className="mt-3 max-w-prose text-quiet">
        {t.rich("csv.intro", {
          limits: formatter().list(rows.map((name) => algorithmText(name).title)),
          link: (chunks) => <a href={path}>{chunks}</a>,
        })}
      </p>
      <noscript>
        <p className="mt-3 max-w-prose text-quiet">{t("csv.notKept", { characters: returnedMaximum })}</p>
      </noscript>
      <RatingsForm
        action={compareRatings.bind(null, labPath(choices, ""))}
        texts={{
          field: t("csv.field"),
          help: t.rich("csv.help", {
            rows: csvMaximum.rows,
            code: (chunks) => (
              <code key="example" dir="ltr">
                {chunks}
              </code>
            ),
          }),
          submit: t("compare"),
          submitting: t("csv.submitting"),
        }}
      />
      {formResult()}
    </>
  );
}
