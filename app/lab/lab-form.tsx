import { translator } from "@/lib/i18n";
import { type LabQuery, labPath } from "@/lib/lab/address";
import { csvMaximum } from "@/lib/lab/csv";
import type { LabSettings } from "@/lib/lab/settings";
import { algorithmNames } from "@/lib/limiter/index";
import type { User } from "@/lib/users";
import type { FieldErrors } from "@/lib/validation";
import { AlgorithmFields } from "./algorithm-fields";
import { TextField } from "./fields";
import { TraceFields } from "./trace-fields";

interface LabFormProps {
  query: LabQuery;
  settings: LabSettings;
  errors: FieldErrors;
  user: User | null;
}

/** Everything that can be chosen, as one form whose answer is an address. */
export function LabForm({ query, settings, errors, user }: LabFormProps) {
  const t = translator("lab");
  const { rows, limits, settings: given } = query;
  const choices = { rows, limits, settings: given };
  const isFresh = labPath(query) === "/lab";
  const isChanged = labPath(choices) !== "/lab";
  const isFaulty = Object.keys(errors).some((name) => !["trace", "times", "post"].includes(name));
  const hasPart = query.from !== "" || query.to !== "";
  const isPartFaulty =
    Boolean(errors.from || errors.to) || [query.from, query.to].some((text) => Number.isNaN(Number(text)));
  return (
    // The answer opens at the result; the form is above.
    <form action="/lab#results" noValidate className="group/lab mt-8">
      <TraceFields query={query} errors={errors} user={user} />
      <details className="mt-6 border-y border-hairline" open={isChanged || isFaulty || isPartFaulty}>
        <summary className="py-3 text-[0.9375rem] font-medium">
          {t("form.algorithms")} <span className="text-sm font-normal text-quiet">{choiceText(query)}</span>
        </summary>
        <AlgorithmFields query={query} settings={settings} />
        <details className="border-t border-hairline" open={hasPart || isPartFaulty}>
          <summary className="py-2.5 text-[0.9375rem] font-medium">
            {t("form.part")}{" "}
            <span className="text-sm font-normal text-quiet">
              {hasPart ? (isPartFaulty ? t("form.broken") : partText(query)) : t("form.wholePart")}
            </span>
          </summary>
          <div className="grid gap-4 pt-1 pb-5 sm:grid-cols-2">
            <TextField name="from" label={t("form.from")} value={query.from} errors={errors.from} />
            <TextField
              name="to"
              label={t("form.to")}
              value={query.to}
              errors={errors.to}
              help={t("form.toHelp")}
            />
          </div>
        </details>
      </details>
      <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-3">
        <button type="submit" className="button button-primary">
          {t("compare")}
        </button>
        {!isFresh && <a href="/lab">{t("startAfresh")}</a>}
        <a href={labPath(choices, "/lab/ratings")}>{t("csv.link", { rows: csvMaximum.rows })}</a>
      </div>
    </form>
  );
}

function choiceText({ rows, settings }: LabQuery): string {
  const t = translator("lab");
  const all = algorithmNames.length;
  const shown = rows.length === all ? t("form.all", { all }) : t("form.some", { shown: rows.length, all });
  const count = Object.keys(settings).length;
  return count === 0 ? t("form.own", { rows: shown }) : t("form.changed", { rows: shown, count });
}

function partText({ from, to }: LabQuery): string {
  const t = translator("lab");
  return to
    ? t("form.partText", { from: Number(from), to: Number(to) })
    : t("form.partFrom", { from: Number(from) });
}
