import { summaryText } from "@/app/_components/limit-text";
import { translator } from "@/lib/i18n";
import { faultyOf, type LabSettings, labVariables } from "@/lib/lab/settings";
import { algorithmDefinitions } from "@/lib/limiter/index";
import { type RatingVariable, ratingVariables } from "@/lib/settings/rating-settings";
import { algorithmText } from "./algorithm-text";
import { SelectField, TextField } from "./fields";
import { choiceLabel, settingLabel } from "./setting-text";

interface AlgorithmFieldsProps {
  lanes: readonly string[];
  settings: LabSettings;
}

/** Which algorithms are shown, each with its settings behind its name. */
export function AlgorithmFields({ lanes, settings }: AlgorithmFieldsProps) {
  const t = translator("lab");
  return (
    <fieldset className="ps-1">
      <legend className="sr-only">{t("form.algorithms")}</legend>
      <ul>
        {algorithmDefinitions.map(({ name }) => (
          <li key={name} className="flex items-start gap-3 border-t border-hairline">
            <input
              type="checkbox"
              name="lane"
              value={name}
              defaultChecked={lanes.includes(name)}
              aria-label={t("form.show", { title: algorithmText(name).title })}
              className="mt-3 size-5 shrink-0 accent-water"
            />
            <SettingsOf name={name} settings={settings} />
          </li>
        ))}
        {labVariables.filter(isShared).map((variable) => (
          <li key={variable.name} className="border-t border-hairline">
            <TimeZone variable={variable} settings={settings} />
          </li>
        ))}
      </ul>
    </fieldset>
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
    <details className="min-w-0 grow" open={isFaulty}>
      <summary className="py-2.5 text-[0.9375rem] font-medium">
        {title}{" "}
        {parameters ? (
          <bdi className="text-sm font-normal text-quiet">{summaryText(parameters)}</bdi>
        ) : (
          <span className="text-sm font-normal text-wrong">{translator("lab")("form.broken")}</span>
        )}
      </summary>
      <p className="max-w-prose text-sm text-quiet">{about}</p>
      <div className="grid gap-4 pt-4 pb-5 sm:grid-cols-2">
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
      <summary className="py-2.5 text-[0.9375rem] font-medium">
        {translator("lab")("form.calendarDays")}{" "}
        <span className="text-sm font-normal text-quiet">
          <bdi>{settings.texts[variable.name]}</bdi>
        </span>
      </summary>
      <div className="pt-1 pb-5 sm:max-w-[calc(50%-0.5rem)]">
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
    help: <code className="break-all">{name}</code>,
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
