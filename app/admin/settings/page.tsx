import { forbiddenPage } from "@/app/_components/no-page";
import { Section } from "@/app/_components/section";
import { translator } from "@/lib/i18n";
import { localeNames } from "@/lib/i18n/locale";
import { env } from "@/lib/settings/env";
import { type SiteSettings, siteSettings } from "@/lib/settings/site-settings";
import { AdminFrame, administratorAt, adminMetadata } from "../frame";

export function generateMetadata() {
  return adminMetadata("settings");
}

/** The site's settings in words; they are changed in the server's environment. */
export default async function SettingsPage() {
  const user = await administratorAt("/admin/settings");
  const settings = user && siteSettings(env, user);
  if (!settings) return forbiddenPage();
  return (
    <AdminFrame user={user} page="settings">
      <p className="mt-3 text-quiet">{translator("admin")("settings.intro")}</p>
      <SiteSection {...settings} />
      <AccountsSection {...settings} />
      <RatingsSection {...settings} />
    </AdminFrame>
  );
}

function SiteSection({ SITE_URL, SITE_LANGUAGE, MAIL_FROM }: SiteSettings) {
  const t = translator("admin");
  return (
    <Section title={t("settings.site")}>
      <dl>
        <Setting name="SITE_URL" label={t("settings.address")}>
          {SITE_URL === undefined ? t("settings.noAddress") : <bdi>{SITE_URL}</bdi>}
        </Setting>
        <Setting name="SITE_LANGUAGE" label={t("settings.language")}>
          {t("settings.languageHelp", { name: localeNames[SITE_LANGUAGE] })}
        </Setting>
        <Setting name="MAIL_URL, MAIL_FROM" label={t("settings.mail")}>
          {MAIL_FROM === undefined
            ? t("settings.noMail")
            : t.rich("settings.mailFrom", { address: () => <bdi>{MAIL_FROM}</bdi> })}
        </Setting>
      </dl>
    </Section>
  );
}

function AccountsSection(settings: SiteSettings) {
  const t = translator("admin");
  const hours = settings.NEW_ACCOUNT_HOURS;
  return (
    <Section title={t("settings.accounts")}>
      <dl>
        <Setting name="REGISTRATION" label={t("settings.registration")}>
          {translator("adminPeople")(`mode.${settings.REGISTRATION}`)}
        </Setting>
        <Setting name="REGISTRATION_CHALLENGE" label={t("settings.challenge")}>
          {settings.REGISTRATION_CHALLENGE === "off" ? t("settings.challengeOff") : t("settings.challengeOn")}
        </Setting>
        <Setting name="NEW_ACCOUNT_HOURS" label={t("settings.newAccounts")}>
          {hours === 0 ? t("settings.newAccountsCount") : t("settings.newAccountsWait", { hours })}
        </Setting>
        <Setting name="ADMIN_SECOND_FACTOR" label={t("settings.secondFactor")}>
          {settings.ADMIN_SECOND_FACTOR === "required"
            ? t("settings.secondFactorRequired")
            : t("settings.secondFactorOptional")}
        </Setting>
        <Setting name="SESSION_IDLE_DAYS, SESSION_MAXIMUM_DAYS" label={t("settings.sessions")}>
          {t("settings.sessionsHelp", {
            idle: settings.SESSION_IDLE_DAYS,
            maximum: settings.SESSION_MAXIMUM_DAYS,
          })}
        </Setting>
      </dl>
    </Section>
  );
}

function RatingsSection(settings: SiteSettings) {
  const t = translator("admin");
  const overflow = {
    reject: t("settings.overflowReject"),
    wait: t("settings.overflowWait"),
    hold: t("settings.overflowHold"),
  };
  return (
    <Section title={t("settings.ratings")}>
      <dl>
        <Setting name="RATING_FLOODS, RATING_HOLD_DAYS" label={t("settings.floods")}>
          {settings.RATING_FLOODS === "hold"
            ? t("settings.floodsHold", { days: settings.RATING_HOLD_DAYS })
            : t("settings.floodsCount")}
        </Setting>
        <Setting name="RATING_OVERFLOW" label={t("settings.overflow")}>
          {overflow[settings.RATING_OVERFLOW]}
        </Setting>
        <Setting name="SETTLED_SCORE_FIRST_RATERS, SETTLED_SCORE_UNIT_DAYS" label={t("settings.settling")}>
          {t("settings.settlingHelp", {
            raters: settings.SETTLED_SCORE_FIRST_RATERS,
            days: settings.SETTLED_SCORE_UNIT_DAYS,
          })}
        </Setting>
        <Setting name="ATTEMPTS_KEPT_DAYS" label={t("settings.attempts")}>
          {t("settings.attemptsHelp", { days: settings.ATTEMPTS_KEPT_DAYS })}
        </Setting>
      </dl>
    </Section>
  );
}

interface SettingProps {
  /** The environment's variables. */
  name: string;
  label: string;
  children: React.ReactNode;
}

/** A setting in words, with the name by which it is changed. */
function Setting({ name, label, children }: SettingProps) {
  return (
    <div className="grid gap-x-6 gap-y-0.5 border-b border-hairline py-3 last:border-b-0 sm:grid-cols-[13rem_minmax(0,1fr)]">
      <dt className="font-medium">{label}</dt>
      <dd>
        <p>{children}</p>
        <p className="text-sm text-quiet">
          <code dir="ltr">{name}</code>
        </p>
      </dd>
    </div>
  );
}
