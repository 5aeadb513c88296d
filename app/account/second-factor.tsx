import { Day } from "@/app/_components/time";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { type SecondFactorStatus, secondFactorStatus } from "@/lib/second-factor";
import type { Session } from "@/lib/sessions";
import { currentTime } from "@/lib/time/current-time";
import { RemovePasskeyForm } from "./passkey-forms";
import { BeginForm, RemoveForm, RenewForm } from "./second-factor-forms";
import { type SecondFactorNotice, secondFactorNotices } from "./second-factor-notice";

/**
 * The state of two-step verification, and the forms to change it.
 * `notice` is about the last action.
 */
export async function SecondFactor({ session, notice }: { session: Session; notice: string | undefined }) {
  const status = await secondFactorStatus(app(), session, currentTime());
  const isOn = status.app.kind === "on" || status.passkeys.length > 0;
  const { lacksSecondFactor } = session.user;
  const t = translator("account");
  return (
    <>
      <p role="status" className="mb-4 empty:hidden">
        {isSecondFactorNotice(notice) && t(`steps.notice.${notice}`)}
      </p>
      {lacksSecondFactor && (
        <p className="mb-4 font-medium text-amber">
          {isOn ? t("steps.administratorOn") : t("steps.administratorOff")}
        </p>
      )}
      {isOn ? <On status={status} /> : <Off status={status} />}
    </>
  );
}

function isSecondFactorNotice(notice: string | undefined): notice is SecondFactorNotice {
  return secondFactorNotices.some((each) => each === notice);
}

function Off({ status }: { status: SecondFactorStatus }) {
  const t = translator("account");
  return (
    <>
      <p className="mb-5 text-quiet">{t("steps.off")}</p>
      <App status={status} />
      <p className="mt-6">
        {t.rich("steps.addPasskeyInstead", { link: (text) => <a href="/account/passkeys">{text}</a> })}
      </p>
    </>
  );
}

function On({ status: { app, passkeys, recoveryCodes }, status }: { status: SecondFactorStatus }) {
  const t = translator("account");
  return (
    <>
      <p className="mb-5 text-quiet">
        {app.kind === "on" ? t.rich("steps.onWithApp", { day: () => <Day at={app.since} /> }) : t("steps.on")}{" "}
        {t("steps.codesLeft", { count: recoveryCodes })}
      </p>
      {passkeys.length > 0 && <RemovePasskeyForm passkeys={passkeys} />}
      <p className="mt-4 mb-8">
        <a href="/account/passkeys">{t("steps.addPasskey")}</a>
      </p>
      {app.kind !== "on" && (
        <div className="mb-8">
          <p className="mb-5 text-quiet">{t("steps.addApp")}</p>
          <App status={status} />
        </div>
      )}
      <RenewForm />
      <div className="mt-8">
        <RemoveForm />
      </div>
    </>
  );
}

function App({ status: { app } }: { status: SecondFactorStatus }) {
  return (
    <>
      {app.kind === "pending" && (
        <p className="mb-5">
          <a href="/account/two-steps">{translator("account")("steps.continueApp")}</a>
        </p>
      )}
      <BeginForm />
    </>
  );
}
