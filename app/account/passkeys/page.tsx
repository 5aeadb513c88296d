import type { Metadata } from "next";
import { requireSession } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { trustedOrigin } from "@/lib/request/site-origin";
import { passkeySite } from "@/lib/second-factor/webauthn";
import { AddPasskeyForm } from "../passkey-forms";

export function generateMetadata(): Metadata {
  return { title: translator("account")("passkeys.title"), robots: { index: false } };
}

/**
 * The page to add a passkey.
 * After the first second factor it shows the recovery codes.
 */
export default async function PasskeysPage() {
  await requireSession("/account/passkeys");
  const isPossible = passkeySite(await trustedOrigin()) !== undefined;
  const t = translator("account");
  return (
    <>
      <h1 className="page-title">{t("passkeys.title")}</h1>
      <p className="mt-3 mb-8 max-w-prose text-quiet">{t("passkeys.intro")}</p>
      {isPossible ? <AddPasskeyForm /> : <p>{t("passkeys.impossible")}</p>}
      <p className="mt-8">
        <a href="/account#two-steps">{t("passkeys.back")}</a>
      </p>
    </>
  );
}
