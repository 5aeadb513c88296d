import type { Metadata } from "next";
import { app } from "@/lib/app";
import { requireSession } from "@/lib/auth";
import { siteOrigin } from "@/lib/request/site-origin";
import { secondFactorStatus } from "@/lib/second-factor";
import { totpAddress } from "@/lib/second-factor/totp";
import { currentTime } from "@/lib/time/current-time";
import { QrCode } from "../qr-code";
import { ConfirmForm } from "../second-factor-forms";

export const metadata: Metadata = { title: "Two-step verification", robots: { index: false } };

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
  return (
    <>
      <h1 className="page-title mb-8">Two-step verification</h1>
      {status.kind === "off" && (
        <p className="mb-6">
          Nothing is being set up at the moment. <a href="/account#two-steps">Begin on your account page</a>
        </p>
      )}
      {status.kind === "on" && <p className="mb-6">Your authenticator app is set up already.</p>}
      {status.kind !== "off" && (
        <ConfirmForm
          secret={secret}
          address={address}
          qrCode={<QrCode text={address} label="QR code for your authenticator app" />}
        />
      )}
    </>
  );
}
