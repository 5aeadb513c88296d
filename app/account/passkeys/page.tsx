import type { Metadata } from "next";
import { requireSession } from "@/lib/auth";
import { trustedOrigin } from "@/lib/request/site-origin";
import { passkeySite } from "@/lib/second-factor/webauthn";
import { AddPasskeyForm } from "../passkey-forms";

export const metadata: Metadata = { title: "Add a passkey", robots: { index: false } };

/**
 * The page to add a passkey.
 * After the first second factor it shows the recovery codes.
 */
export default async function PasskeysPage() {
  await requireSession("/account/passkeys");
  const isPossible = passkeySite(await trustedOrigin()) !== undefined;
  return (
    <>
      <h1 className="page-title">Add a passkey</h1>
      <p className="mt-3 mb-8 max-w-prose text-quiet">
        A passkey is stored on your phone, your computer or a security key. To use it, you usually unlock that
        device with your fingerprint, face or PIN. You log in with your password first, and then with the
        passkey instead of a code.
      </p>
      {isPossible ? (
        <AddPasskeyForm />
      ) : (
        <p>
          Passkeys do not work at this address: the site must have a name of its own and use https. Contact
          the person who runs this site, or use an authenticator app.
        </p>
      )}
      <p className="mt-8">
        <a href="/account#two-steps">Back to your account</a>
      </p>
    </>
  );
}
