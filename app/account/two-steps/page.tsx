import type { Metadata } from "next";
import { app } from "@/lib/app";
import { requireSession } from "@/lib/auth";
import { currentTime } from "@/lib/current-time";
import { siteOrigin } from "@/lib/http/site-origin";
import { secondFactorStatus } from "@/lib/second-factor";
import { totpAddress } from "@/lib/second-factor/totp";
import { ConfirmForm } from "../second-factor-forms";

export const metadata: Metadata = { title: "Log in in two steps", robots: { index: false } };

/** The second step of setting up the second factor; it stays after the code, to show the recovery codes. */
export default async function TwoStepsPage() {
  const session = await requireSession("/account/two-steps");
  const status = await secondFactorStatus(app(), session, currentTime());
  const secret = status.kind === "pending" ? status.secret : "";
  const site = new URL(await siteOrigin()).host;
  return (
    <>
      <h1 className="page-title mb-8">Log in in two steps</h1>
      {status.kind === "off" && (
        <p className="mb-6">
          There is nothing to confirm. <a href="/account#two-steps">Begin on your account page</a>
        </p>
      )}
      {status.kind === "on" && <p className="mb-6">You log in in two steps now.</p>}
      {status.kind !== "off" && (
        <ConfirmForm
          secret={secret}
          address={totpAddress(secret, { site, username: session.user.username })}
        />
      )}
    </>
  );
}
