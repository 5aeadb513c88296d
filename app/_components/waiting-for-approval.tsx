import { translator } from "@/lib/i18n";

/** The notice for a person whose account waits, in place of a form. */
export function WaitingForApproval() {
  return (
    <p role="status" className="max-w-prose">
      {translator("account")("waitingForApproval")}
    </p>
  );
}
