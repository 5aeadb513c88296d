import { summaryText } from "@/app/_components/limit-text";
import { translator } from "@/lib/i18n";
import type { LabQuery } from "@/lib/lab/address";
import { faultyOf, type LabSettings, labVariables } from "@/lib/lab/settings";
import { decidingLimits } from "@/lib/lab/site-limits";
import { algorithmDefinitions } from "@/lib/limiter/index";
import { limits } from "@/lib/limits/index";
import { type RatingVariable, ratingVariables } from "@/lib/settings/rating-settings";
import { algorithmText } from "./algorithm-text";
import { SelectField, TextField } from "./fields";
import { freshPage } from "./fresh-page";
import { choiceLabel, settingLabel } from "./setting-text";
import { siteLimitText } from "./site-limit-text";

interface AlgorithmFieldsProps {
  query: LabQuery;
  settings: LabSettings;
}

/**
 * Which of the site's limits decide, and which algorithms are shown.
 * Each algorithm has its settings behind its name.
 */
export function AlgorithmFields({ query, settings }: AlgorithmFieldsProps) {
  const t = translator("lab");
  return (
    <fieldset className="ps-1">
      <legend className="sr-only">{t("form.algorithms")}</legend>
      <ul className="lab-limits">
        {freshPage.limits.length > 1 && (
          <li>
            <SiteLimitFields chosen={query.limits} />
          </li>
        )}
        {algorithmDefinitions.map(({ name }) => (
          <li key={name}>
            <input
              type="checkbox"
              name="lane"
              value={name}
              defaultChecked={query.rows.includes(name)}
              aria-label={t("form.show", { title: algorithmText(name).title })}
            />
            <SettingsOf name={name} settings={settings} />
          </li>
        ))}
        {labVariables.filter(isShared).map((variable) => (
          <li key={variable.name}>
            <TimeZone variable={variable} settings={settings} />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** Which of the site's limits decide, together or one alone. */
function SiteLimitFields({ chosen }: { chosen: readonly string[] }) {
  const t = translator("lab");
  const names = freshPage.limits;
  const deciding = decidingLimits(limits);
  const textOf = (name: string) => {
    const limit = deciding.find((each) => each.name === name);
    return limit ? siteLimitText(limit) : t("scores.floods");
  };
  const isChosen = (name: string) => chosen.length === 0 || chosen.includes(name);
  return (
    <details open={chosen.length > 0}>
      <summary>
        {t("scores.siteTitle")}{" "}
        <span>
          {chosen.length > 0
            ? t("form.some", { shown: chosen.length, all: names.length })
            : t("form.all", { all: names.length })}
        </span>
      </summary>
      <p className="max-w-prose">{t("form.siteAbout")}</p>
      <ul className="pb-4 text-[0.9375rem]">
        {names.map((name) => (
          <li key={name}>
            <label className="flex gap-3">
              <input type="checkbox" name="limit" value={name} defaultChecked={isChosen(name)} />
              <span className="pt-2.5">{textOf(name)}</span>
            </label>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The time zone, which is one for all algorithms. */
function isShared({ description }: RatingVariable): boolean {
  return description.type === "time-zone";
}

function SettingsOf({ name, settings }: { name: string; settings: LabSettings }) {
  const own = ratingVariables(name).filter((variable) => !isShared(variable));
  const isFaulty = faultyOf(name, settings.errors).some((faulty) => own.some((each) => each.name === faulty));
  const parameters = settings.algorithms.find((algorithm) => algorithm.name === name)?.parameters;
  const { title, about } = algorithmText(name);
  return (
    <details open={isFaulty}>
      <summary>
        {title}{" "}
        {parameters ? (
          <bdi>{summaryText(parameters)}</bdi>
        ) : (
          <span className="wrong">{translator("lab")("form.broken")}</span>
        )}
      </summary>
      <p className="max-w-prose">{about}</p>
      <div>
        {own.map((variable) => (
          <SettingField key={variable.name} variable={variable} settings={settings} />
        ))}
      </div>
    </details>
  );
}

function TimeZone({ variable, settings }: { variable: RatingVariable; settings: LabSettings }) {
  return (
    <details open={Boolean(settings.errors[variable.name])}>
      <summary>
        {translator("lab")("form.calendarDays")} <bdi>{settings.texts[variable.name]}</bdi>
      </summary>
      <div>
        <SettingField variable={variable} settings={settings} />
      </div>
    </details>
  );
}

function SettingField({
  variable,
  settings: { texts, errors },
}: {
  variable: RatingVariable;
  settings: LabSettings;
}) {
  const { name, description } = variable;
  const field = {
    name,
    label: settingLabel(variable),
    value: texts[name] ?? "",
    errors: errors[name],
    help: <code>{name}</code>,
  };
  if (description.type !== "choice")
    return <TextField {...field} {...(description.type !== "time-zone" && { inputMode: "decimal" })} />;
  const isChoice = description.choices.some(([value]) => value === field.value);
  return (
    <SelectField {...field}>
      {!isChoice && <option>{field.value}</option>}
      {description.choices.map(([value, label]) => (
        <option key={value} value={value}>
          {choiceLabel(value, label)}
        </option>
      ))}
    </SelectField>
  );
}
