import { Form } from "@/app/_components/form";
import { Field, Select, SubmitButton } from "@/app/_components/form-fields";
import { Section } from "@/app/_components/section";
import { translator } from "@/lib/i18n";
import { localeNames, locales } from "@/lib/i18n/locale";
import { isInEnvironment, type SiteSettingName, type SiteSettings, siteSettings, textOf } from "@/lib/site";
import {
  footerLinksMaximum,
  homeLayouts,
  registrationModes,
  siteDefaults,
  siteSettingNames,
  writerModes,
} from "@/lib/site/schema";
import { saveSettings } from "./actions";
import { ShownValues } from "./form-state";

/**
 * The settings of the site, each with its value.
 * Those that the environment sets are only shown.
 */
export function SiteForm() {
  const t = translator("siteSettings");
  const settings = siteSettings();
  const shown = Object.fromEntries(siteSettingNames.map((name) => [name, textOf(name, settings)]));
  const colourHelp = t("help.ACCENT_COLOUR", { colour: siteDefaults.ACCENT_COLOUR });
  const darkHelp = t("help.ACCENT_COLOUR", { colour: siteDefaults.ACCENT_COLOUR_DARK });
  return (
    <Form action={saveSettings} className="max-w-lg">
      <ShownValues shown={JSON.stringify(shown)} />
      <Section title={translator("admin")("settings.site")}>
        <div className="flex flex-col gap-6">
          <TextSetting name="SITE_NAME" settings={settings} help={t("help.SITE_NAME")} />
          <TextSetting name="SITE_TAGLINE" settings={settings} help={t("help.SITE_TAGLINE")} />
          <ChoiceSetting
            name="SITE_LANGUAGE"
            settings={settings}
            help={t("help.SITE_LANGUAGE")}
            options={locales.map((value) => ({ value, label: localeNames[value] }))}
          />
          <ChoiceSetting
            name="HOME_LAYOUT"
            settings={settings}
            options={homeLayouts.map((value) => ({ value, label: t(`choice.HOME_LAYOUT.${value}`) }))}
          />
          <TextSetting
            name="FOOTER_LINKS"
            settings={settings}
            help={t("help.FOOTER_LINKS", { maximum: footerLinksMaximum })}
            rows={4}
          />
          <TextSetting name="ACCENT_COLOUR" settings={settings} help={colourHelp} />
          <TextSetting name="ACCENT_COLOUR_DARK" settings={settings} help={darkHelp} />
        </div>
      </Section>
      <Section title={translator("admin")("settings.accounts")}>
        <div className="flex flex-col gap-6">
          <ChoiceSetting
            name="REGISTRATION"
            settings={settings}
            options={registrationModes.map((value) => ({ value, label: t(`choice.REGISTRATION.${value}`) }))}
          />
          <ChoiceSetting
            name="WHO_MAY_WRITE"
            settings={settings}
            help={t("help.WHO_MAY_WRITE")}
            options={writerModes.map((value) => ({ value, label: t(`choice.WHO_MAY_WRITE.${value}`) }))}
          />
        </div>
      </Section>
      <div className="mt-8">
        <SubmitButton pending={t("saving")}>{t("save")}</SubmitButton>
      </div>
    </Form>
  );
}

interface SettingProps {
  name: SiteSettingName;
  settings: SiteSettings;
  help?: string;
}

interface TextSettingProps extends SettingProps {
  rows?: number;
}

function TextSetting({ name, settings, ...field }: TextSettingProps) {
  const value = textOf(name, settings);
  if (isInEnvironment(name)) return <LockedSetting name={name} value={value} />;
  const label = translator("siteSettings")(`label.${name}`);
  return <Field label={label} name={name} defaultValue={value} autoComplete="off" optional {...field} />;
}

interface ChoiceSettingProps extends SettingProps {
  options: readonly { value: string; label: string }[];
}

function ChoiceSetting({ name, settings, ...field }: ChoiceSettingProps) {
  const value = textOf(name, settings);
  if (isInEnvironment(name)) {
    const chosen = field.options.find((option) => option.value === value);
    return <LockedSetting name={name} value={chosen?.label ?? value} />;
  }
  return (
    <Select label={translator("siteSettings")(`label.${name}`)} name={name} defaultValue={value} {...field} />
  );
}

/** A setting that the environment sets. */
function LockedSetting({ name, value }: { name: SiteSettingName; value: string }) {
  const t = translator("siteSettings");
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-[0.9375rem] font-medium">{t(`label.${name}`)}</p>
      <p dir="auto" className="whitespace-pre-line break-words">
        {value === "" ? t("nothing") : value}
      </p>
      <p className="text-sm text-quiet">{t("locked", { name })}</p>
    </div>
  );
}
