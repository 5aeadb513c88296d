import { Form } from "@/app/_components/form";
import { ChoiceButton } from "@/app/_components/form-fields";
import { translator } from "@/lib/i18n";
import { currentLocale } from "@/lib/request/current-request";
import { SettingFields, ShownSettings } from "../site-setting-fields";
import { setUpSite } from "./actions";

/** The first settings of the site; then it leads to the editor, or home. */
export function WelcomeForm() {
  const t = translator("welcome");
  return (
    <Form action={setUpSite} className="mt-8 max-w-lg">
      <ShownSettings />
      <SettingFields
        names={["SITE_NAME", "SITE_TAGLINE", "SITE_LANGUAGE", "WHO_MAY_WRITE"]}
        suggested={{ SITE_LANGUAGE: currentLocale() }}
      />
      <div className="mt-8 mb-4 flex flex-wrap items-center gap-x-6 gap-y-3">
        <ChoiceButton name="next" value="write" pending={t("saving")} isPrimary>
          {t("saveAndWrite")}
        </ChoiceButton>
        <ChoiceButton name="next" value="home" pending={t("saving")}>
          {t("save")}
        </ChoiceButton>
        <a href="/">{t("later")}</a>
      </div>
    </Form>
  );
}
