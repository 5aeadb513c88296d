import { ForgetParameter } from "@/app/_components/forget-parameter";
import { forbiddenPage } from "@/app/_components/no-page";
import { Section } from "@/app/_components/section";
import { app } from "@/lib/app";
import { noticeOnce } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { env } from "@/lib/settings/env";
import { type ShownSettings, shownSettings } from "@/lib/settings/shown-settings";
import { invalidSiteSettings, refreshSiteSettings } from "@/lib/site";
import { currentTime } from "@/lib/time/current-time";
import { AdminFrame, administratorAt, adminMetadata } from "../frame";
import { MailSection } from "./mail-section";
import { SiteForm } from "./site-form";
import { SiteImages } from "./site-images";

export function generateMetadata() {
  return adminMetadata("settings");
}

/** The site's settings to change, and those of the server's environment. */
export default async function SettingsPage({ searchParams }: PageProps<"/admin/settings">) {
  const user = await administratorAt("/admin/settings");
  const settings = user && shownSettings(env, user);
  if (!settings) return forbiddenPage();
  // Another node may have saved them a moment ago.
  await refreshSiteSettings(app().database);
  const t = translator("siteSettings");
  const now = currentTime();
  const { done: saved, image } = await searchParams;
  const done = await noticeOnce(saved, { about: "settings", reader: user, now });
  const imageDone = await noticeOnce(image, { about: "site images", reader: user, now });
  return (
    <AdminFrame user={user} page="settings">
      <p className="mt-3 text-quiet">{t("intro")}</p>
      <p role="status" className="mt-4 border-s-2 border-water ps-3 empty:hidden">
        {done && t("saved")}
      </p>
      <ForgetParameter name="done" />
      <InvalidSettings />
      <SiteForm />
      <SiteImages done={imageDone} />
      <MailSection user={user} />
      <Section title={t("programs.title")}>
        <p>{t.rich("programs.webhooks", { link: (chunks) => <a href="/admin/webhooks">{chunks}</a> })}</p>
        <p className="mt-2">
          {t.rich("programs.archive", { link: (chunks) => <a href="/admin/archive">{chunks}</a> })}
        </p>
      </Section>
      <Section title={t("readers")}>
        <p>{t("analytics")}</p>
      </Section>
      <p className="mt-10 border-t border-hairline pt-6 text-quiet">
        {translator("admin")("settings.intro")}
      </p>
      <ServerSection {...settings} />
      <RatingsSection {...settings} />
    </AdminFrame>
  );
}

/** Names the settings whose saved values are bad. */
function InvalidSettings() {
  const t = translator("siteSettings");
  const names = invalidSiteSettings().map((name) => t(`label.${name}`));
  if (names.length === 0) return null;
  return <p className="mt-4 border-s-2 border-amber ps-3">{t("invalid", { names: names.join("; ") })}</p>;
}

function ServerSection(settings: ShownSettings) {
  const t = translator("admin");
  const { SITE_URL, NEW_ACCOUNT_HOURS: hours } = settings;
  return (
    <Section title={t("settings.server")}>
      <dl>
        <Setting name="SITE_URL" label={t("settings.address")}>
          {SITE_URL === undefined ? t("settings.noAddress") : <bdi>{SITE_URL}</bdi>}
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

function RatingsSection(settings: ShownSettings) {
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
