import { Moment } from "@/app/_components/time";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { canSendLinks } from "@/lib/mail/settings";
import { siteMailServer } from "@/lib/site";

/** The outbox: how many mails wait, and the latest fault. */
export async function MailSection() {
  const t = translator("adminSystem");
  const { database, mail } = app();
  const { waiting, failing, waitingSince, givenUp, fault } = await database.mails.figures();
  return (
    <>
      <p>
        {mail
          ? t("mail.from", { address: mail.from.address })
          : t.rich(siteMailServer() === "unreadable" ? "mail.unreadable" : "mail.off", {
              link: (chunks) => <a href="/admin/settings#mail">{chunks}</a>,
            })}
      </p>
      {mail && !mail.siteUrl && <p className="mt-2">{t("mail.noLinks")}</p>}
      {!canSendLinks({ mail }) && (
        <p className="mt-2">
          {t.rich("mail.forgotten", { code: (chunks) => <code dir="ltr">{chunks}</code> })}
        </p>
      )}
      <p className="mt-2">
        {waitingSince === null
          ? t("mail.noneWaits")
          : t.rich("mail.waiting", {
              count: waiting,
              failing,
              time: () => <Moment at={waitingSince} />,
            })}
      </p>
      {givenUp > 0 && <p className="mt-2">{t("mail.givenUp", { count: givenUp })}</p>}
      {fault !== null && (
        <p className="mt-2">
          {t("mail.fault")} <code dir="ltr">{fault}</code>
        </p>
      )}
    </>
  );
}
