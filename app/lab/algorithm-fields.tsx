import { type AlgorithmName, algorithmNames } from "@/lib/algorithms";
import { faultyOf, type LabSettings, type SettingName } from "@/lib/lab/settings";
import { ratingSettings } from "@/lib/rating-algorithm";
import { SelectField, TextField } from "./fields";
import { algorithmWords, settingChoices, settingLabels, shortSettings } from "./words";

interface AlgorithmFieldsProps {
  lanes: readonly AlgorithmName[];
  settings: LabSettings;
}

/** Which algorithms are shown, each with its settings behind its name. */
export function AlgorithmFields({ lanes, settings }: AlgorithmFieldsProps) {
  return (
    <fieldset className="ps-1">
      <legend className="sr-only">Algorithms and their settings</legend>
      <ul>
        {algorithmNames.map((name) => (
          <li key={name} className="flex items-start gap-3 border-t border-hairline">
            <input
              type="checkbox"
              name="lane"
              value={name}
              defaultChecked={lanes.includes(name)}
              aria-label={`Show ${algorithmWords[name].name}`}
              className="mt-3 size-5 shrink-0 accent-water"
            />
            <SettingsOf name={name} settings={settings} />
          </li>
        ))}
        <li className="border-t border-hairline">
          <TimeZone settings={settings} />
        </li>
      </ul>
    </fieldset>
  );
}

function SettingsOf({ name, settings }: { name: AlgorithmName; settings: LabSettings }) {
  const own = ratingSettings[name].filter((setting) => setting !== "LIMITER_TIME_ZONE");
  const isFaulty = faultyOf(name, settings.errors).some((setting) => own.some((each) => each === setting));
  const parameters = settings.algorithms.find((algorithm) => algorithm.name === name)?.parameters;
  const words = algorithmWords[name];
  return (
    <details className="min-w-0 grow" open={isFaulty}>
      <summary className="py-2.5 text-[0.9375rem] font-medium">
        {words.name}{" "}
        {parameters ? (
          <bdi className="text-sm font-normal text-quiet">{shortSettings(parameters)}</bdi>
        ) : (
          <span className="text-sm font-normal text-wrong">cannot be shown</span>
        )}
      </summary>
      <p className="max-w-prose text-sm text-quiet">{words.about}</p>
      <div className="grid gap-4 pt-4 pb-5 sm:grid-cols-2">
        {own.map((setting) => (
          <SettingField key={setting} name={setting} settings={settings} />
        ))}
      </div>
    </details>
  );
}

function TimeZone({ settings }: { settings: LabSettings }) {
  return (
    <details open={Boolean(settings.errors.LIMITER_TIME_ZONE)}>
      <summary className="py-2.5 text-[0.9375rem] font-medium">
        Calendar days{" "}
        <span className="text-sm font-normal text-quiet">
          <bdi>{settings.texts.LIMITER_TIME_ZONE}</bdi>
        </span>
      </summary>
      <div className="pt-1 pb-5 sm:max-w-[calc(50%-0.5rem)]">
        <SettingField name="LIMITER_TIME_ZONE" settings={settings} />
      </div>
    </details>
  );
}

function SettingField({ name, settings: { texts, errors } }: { name: SettingName; settings: LabSettings }) {
  const field = {
    name,
    label: settingLabels[name],
    value: texts[name],
    errors: errors[name],
    help: <code className="break-all">{name}</code>,
  };
  const choices = settingChoices[name];
  if (!choices)
    return <TextField {...field} {...(name !== "LIMITER_TIME_ZONE" && { inputMode: "decimal" })} />;
  const isChoice = choices.some(([value]) => value === field.value);
  return (
    <SelectField {...field}>
      {!isChoice && <option>{field.value}</option>}
      {choices.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </SelectField>
  );
}
