import { Form } from "@/app/_components/form";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { Section } from "@/app/_components/section";
import { translator } from "@/lib/i18n";
import { currentLocale } from "@/lib/request/current-request";
import { SettingFields, ShownSettings } from "../site-setting-fields";
import { setUpSite } from "./actions";

/** The first settings of the site, and a first post. */
export function WelcomeForm() {
  const t = translator("welcome");
  const form = translator("writing");
  return (
    <Form action={setUpSite} className="max-w-lg">
      <ShownSettings />
      <Section title={t("site")}>
        <SettingFields
          names={["SITE_NAME", "SITE_TAGLINE", "SITE_LANGUAGE", "WHO_MAY_WRITE"]}
          suggested={{ SITE_LANGUAGE: currentLocale() }}
        />
      </Section>
      <Section title={t("post")}>
        <p className="mb-6 text-quiet">{t("postHelp")}</p>
        <div className="flex flex-col gap-6">
          <Field label={form("form.title")} name="title" autoComplete="off" optional />
          <Field label={form("form.content")} name="content" rows={8} optional />
        </div>
      </Section>
      <div className="mt-8 mb-4 flex flex-wrap items-center gap-x-6 gap-y-3">
        <SubmitButton pending={t("saving")}>{t("save")}</SubmitButton>
        <a href="/">{t("later")}</a>
      </div>
    </Form>
  );
}
