import type { Metadata } from "next";
import { app } from "@/lib/app";
import { cookieOptions, getUser, omitScriptsForVisitors } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { canSendLinks } from "@/lib/mail/settings";
import { env } from "@/lib/settings/env";
import { siteSettings } from "@/lib/site";
import { siteCookies } from "./cookies";
import { keptRecords, recordKinds } from "./records";

export function generateMetadata(): Metadata {
  const t = translator("privacy");
  return { title: t("title"), description: t("description") };
}

/** The data kept about people; every number comes from the settings in force. */
export default async function PrivacyPage() {
  await omitScriptsForVisitors();
  const t = translator("privacy");
  const { PRIVACY_NOTE: note, REGISTRATION } = siteSettings();
  const { secure } = await cookieOptions();
  const { database, mail } = app();
  const kinds = await recordKinds(database, { sendsMail: mail !== null, registration: REGISTRATION });
  const records = keptRecords(env, kinds);
  return (
    <article className="max-w-[66ch]">
      <h1 className="page-title">{t("title")}</h1>
      <p className="mt-4 text-lg">{t("lead")}</p>
      <div className="prose mt-8">
        {note?.split(/\n{2,}/).map((paragraph) => (
          <p key={paragraph} dir="auto" className="whitespace-pre-line">
            {paragraph}
          </p>
        ))}
        <h2 id="readers">{t("reading.title")}</h2>
        <p>{t("reading.nothing")}</p>
        <p>{t("reading.log")}</p>
        <p>{t("reading.images")}</p>
        <h2 id="accounts">{t("account.title")}</h2>
        <dl className="divide-y divide-hairline border-y border-hairline">
          {records.map(({ what, howLong, who }) => (
            <div key={what} className="py-3">
              <dt className="font-medium">{what}</dt>
              <Answer label={t("account.howLong")}>{howLong}</Answer>
              <Answer label={t("account.who")}>{who}</Answer>
            </div>
          ))}
        </dl>
        <p>{t("server")}</p>
        <h2 id="cookies">{t("cookies.title")}</h2>
        <p>{t("cookies.intro")}</p>
        <dl className="divide-y divide-hairline border-y border-hairline">
          {siteCookies(secure, env.SESSION_MAXIMUM_DAYS).map(({ name, purpose, howLong }) => (
            <div key={name} className="py-3">
              <dt className="font-medium break-words [unicode-bidi:isolate]">
                <code dir="ltr">{name}</code>
              </dt>
              <dd>{purpose}</dd>
              <Answer label={t("account.howLong")}>{howLong}</Answer>
            </div>
          ))}
        </dl>
        <p>{t("cookies.storage")}</p>
        <h2 id="your-data">{t("yours.title")}</h2>
        <YourData />
      </div>
    </article>
  );
}

function Answer({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <dd className="text-quiet">
      {`${label}: `}
      {children}
    </dd>
  );
}

async function YourData() {
  const t = translator("privacy");
  if (!(await getUser())) return <p>{t("yours.visitor")}</p>;
  const account = (chunks: React.ReactNode) => <a href="/account">{chunks}</a>;
  return (
    <>
      <p>{t.rich("yours.get", { link: (chunks) => <a href="/account/export">{chunks}</a> })}</p>
      <p>{t.rich(canSendLinks(app()) ? "yours.correct" : "yours.correctWithoutEmail", { link: account })}</p>
      <p>{t.rich("yours.delete", { link: (chunks) => <a href="/account#delete-account">{chunks}</a> })}</p>
    </>
  );
}
