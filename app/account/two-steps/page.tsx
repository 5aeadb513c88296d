import type { Metadata } from "next";
import { app } from "@/lib/app";
import { requireSession } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { siteOrigin } from "@/lib/request/site-origin";
import { secondFactorStatus } from "@/lib/second-factor";
import { totpAddress } from "@/lib/second-factor/totp";
import { currentTime } from "@/lib/time/current-time";
import { QrCode } from "../qr-code";
import { ConfirmForm } from "../second-factor-forms";

export function generateMetadata(): Metadata {
  return { title: translator("account")("steps.title"), robots: { index: false } };
}

/**
 * The second step of setting up the second factor.
 * After the code it shows the recovery codes.
 */
export default async function TwoStepsPage() {
  const session = await requireSession("/account/two-steps");
  const { app: status } = await secondFactorStatus(app(), session, currentTime());
  const secret = status.kind === "pending" ? status.secret : "";
  const site = new URL(await siteOrigin()).host;
  const address = totpAddress(secret, { site, username: session.user.username });
  const t = translator("account");
  return (
    <>
      <h1 className="page-title mb-8">{t("steps.title")}</h1>
      {status.kind === "off" && (
        <p className="mb-6">
          {t.rich("steps.nothingBegun", { link: (text) => <a href="/account#two-steps">{text}</a> })}
        </p>
      )}
      {status.kind === "on" && <p className="mb-6">{t("steps.isSetUp")}</p>}
      {status.kind !== "off" && (
        <ConfirmForm
          secret={secret}
          address={address}
          qrCode={<QrCode text={address} label={t("steps.qrCode")} />}
        />
      )}
    </>
  );
}
