import { Field, Select } from "@/app/_components/form-fields";
import { ShownValue } from "@/app/_components/shown-value";
import { app } from "@/lib/app";
import { formatter, translator } from "@/lib/i18n";
import { localeNames, locales } from "@/lib/i18n/locale";
import { canSendLinks } from "@/lib/mail/settings";
import { isInEnvironment, type SiteSettingName, siteSettings, textOf } from "@/lib/site";
import type { SettingTexts } from "@/lib/site/change";
import {
  emailVerifications,
  footerLinksMaximum,
  homeLayouts,
  registrationModes,
  siteDefaults,
  siteSettingNames,
  writerModes,
} from "@/lib/site/schema";

/** The settings with several lines. */
const longTexts: readonly SiteSettingName[] = ["FOOTER_LINKS", "PRIVACY_NOTE"];

interface SettingFieldsProps {
  names: readonly SiteSettingName[];
  /** Values to begin with, in place of the present ones. */
  suggested?: SettingTexts;
}

/**
 * Settings of the site to change, in a form with `ShownSettings`.
 * Settings of the environment are only shown.
 */
export function SettingFields({ names, suggested = {} }: SettingFieldsProps) {
  return (
    <div className="flex flex-col gap-6">
      {names.map((name) => (
        <SettingField key={name} name={name} suggested={suggested[name]} />
      ))}
    </div>
  );
}

/** The values that a form of settings is shown with, to be sent along. */
export function ShownSettings() {
  const settings = siteSettings();
  const shown = Object.fromEntries(siteSettingNames.map((name) => [name, textOf(name, settings)]));
  return <ShownValue name="shown" value={JSON.stringify(shown)} />;
}

function SettingField({ name, suggested }: { name: SiteSettingName; suggested: string | undefined }) {
  const t = translator("siteSettings");
  const value = textOf(name, siteSettings());
  const options = optionsOf(name);
  if (isInEnvironment(name)) {
    const chosen = options?.find((option) => option.value === value);
    return <LockedSetting name={name} value={chosen?.label ?? value} />;
  }
  const field = { label: t(`label.${name}`), name, help: helpOf(name), defaultValue: suggested ?? value };
  if (options) return <Select options={options} {...field} />;
  return <Field autoComplete="off" optional {...(longTexts.includes(name) && { rows: 4 })} {...field} />;
}

/** The values to choose from; undefined for a text. */
function optionsOf(name: SiteSettingName): { value: string; label: string }[] | undefined {
  const t = translator("siteSettings");
  switch (name) {
    case "SITE_LANGUAGE":
      return locales.map((value) => ({ value, label: localeNames[value] }));
    case "SITE_LANGUAGES":
      return [locales, ...locales.map((locale) => [locale])].map((offered) => ({
        value: offered.join(", "),
        label: formatter().list(offered.map((locale) => localeNames[locale])),
      }));
    case "HOME_LAYOUT":
      return homeLayouts.map((value) => ({ value, label: t(`choice.${name}.${value}`) }));
    case "REGISTRATION":
      return registrationModes.map((value) => ({ value, label: t(`choice.${name}.${value}`) }));
    case "WHO_MAY_WRITE":
      return writerModes.map((value) => ({ value, label: t(`choice.${name}.${value}`) }));
    case "EMAIL_VERIFICATION":
      return emailVerifications.map((value) => ({ value, label: t(`choice.${name}.${value}`) }));
    default:
      return undefined;
  }
}

function helpOf(name: SiteSettingName): string | undefined {
  const t = translator("siteSettings");
  switch (name) {
    case "FOOTER_LINKS":
      return t("help.FOOTER_LINKS", { maximum: footerLinksMaximum });
    case "ACCENT_COLOUR":
    case "ACCENT_COLOUR_DARK":
      return t("help.ACCENT_COLOUR", { colour: siteDefaults[name] });
    case "EMAIL_VERIFICATION":
      return t(canSendLinks(app()) ? `help.${name}` : "help.EMAIL_VERIFICATION_WITHOUT_MAIL");
    case "HOME_LAYOUT":
    case "REGISTRATION":
      return undefined;
    default:
      return t(`help.${name}`);
  }
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
