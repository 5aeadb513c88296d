"use server";

import type { FormState } from "@/app/_components/form";
import { refused, sentForm, sentName } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { formatter, translator } from "@/lib/i18n";
import { labQuery } from "@/lib/lab/address";
import { type CsvOutcome, csvComparer, writtenLimits } from "@/lib/lab/compare-csv";
import { type CsvFault, csvMaximum } from "@/lib/lab/csv";
import { labSettings } from "@/lib/lab/settings";
import { addressRefusal } from "@/lib/limits/address-limit";
import { clientAddress, isFromScript, setFormResult } from "@/lib/request/current-request";
import { env } from "@/lib/settings/env";
import { currentTime } from "@/lib/time/current-time";
import { chosenOfSite, freshPage } from "../fresh-page";
import { ScoreResults } from "../score-results";
import { returnedMaximum } from "./returned-maximum";

/**
 * Compares limits on the form's ratings; `search` chooses limits and settings.
 * Gives the ratings back unless they are long: with JavaScript the field keeps them.
 */
export async function compareRatings(search: string, _: FormState, form: FormData): Promise<FormState> {
  const parameters = new URLSearchParams(sentName(search));
  const query = labQuery(
    Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)])),
    freshPage,
  );

  const user = await getUser();
  const now = currentTime();
  const client = { address: clientAddress(), username: user?.username, now };
  const refusal = await addressRefusal(app(), "lab", client);
  const sent = sentForm(form).get("ratings");
  const text = typeof sent === "string" ? sent : "";
  const byScript = isFromScript();
  const values: Record<string, string> = byScript || text.length > returnedMaximum ? {} : { ratings: text };
  if (refusal) return refused(refusal, now, values);
  const { algorithms } = labSettings(query.settings, env);
  const site = chosenOfSite(query.limits);
  const outcome = await csvComparer().compare({
    text,
    algorithms: algorithms
      .filter(({ name }) => query.rows.includes(name))
      .map(({ name, parameters }) => ({ name, parameters })),
    limits: writtenLimits(site.limits),
    scoring: site.scoring,
  });
  if (outcome.kind !== "compared") return { values, errors: errorsOf(outcome) };
  const { comparison, startsAt } = outcome;
  const { from, to } = comparison;
  const clock = { zero: startsAt, spanMs: to - from, stepMs: Math.max(1, (to - from) / 50) };
  const result = <ScoreResults comparison={comparison} clock={clock} site={site} />;
  if (byScript) return { result };
  setFormResult(result);
  return { values };
}

function errorsOf(outcome: Exclude<CsvOutcome, { kind: "compared" }>) {
  const t = translator("lab");
  if (outcome.kind === "faulty") return { ratings: [faultText(outcome.fault)] };
  return { form: [outcome.kind === "busy" ? t("csv.error.busy") : t("csv.error.tooLong")] };
}

function faultText(fault: CsvFault): string {
  const t = translator("lab");
  switch (fault.kind) {
    case "nothing":
      return t("csv.error.nothing");
    case "columns":
    case "score":
      return t("error.line", {
        line: fault.line,
        part: fault.text,
        fault: t(`csv.error.${fault.kind}`),
      });
    case "many":
      return t("csv.error.many", { rows: csvMaximum.rows });
    case "long":
      return t("csv.error.long", { years: formatter().number(Math.floor(csvMaximum.days / 365.25)) });
    default:
      return t("error.line", { line: fault.line, part: fault.text, fault: t(`error.${fault.kind}`) });
  }
}
