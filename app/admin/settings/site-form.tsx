import { Form } from "@/app/_components/form";
import { SubmitButton } from "@/app/_components/form-fields";
import { Section } from "@/app/_components/section";
import { translator } from "@/lib/i18n";
import { SettingFields, ShownSettings } from "../site-setting-fields";
import { saveSettings } from "./actions";

/** The settings of the site, each with its value. */
export function SiteForm() {
  const t = translator("siteSettings");
  return (
    <Form action={saveSettings} className="max-w-lg">
      <ShownSettings />
      <Section title={translator("admin")("settings.site")}>
        <SettingFields
          names={[
            "SITE_NAME",
            "SITE_TAGLINE",
            "SITE_LANGUAGE",
            "SITE_LANGUAGES",
            "HOME_LAYOUT",
            "FOOTER_LINKS",
            "PRIVACY_NOTE",
            "ACCENT_COLOUR",
            "ACCENT_COLOUR_DARK",
          ]}
        />
      </Section>
      <Section title={translator("admin")("settings.accounts")}>
        <SettingFields names={["REGISTRATION", "WHO_MAY_WRITE", "EMAIL_VERIFICATION"]} />
      </Section>
      <div className="mt-8">
        <SubmitButton pending={t("saving")}>{t("save")}</SubmitButton>
      </div>
    </Form>
  );
}
