import { Day } from "@/app/_components/time";
import { app } from "@/lib/app";
import { secondFactorStatus } from "@/lib/second-factor";
import type { Session } from "@/lib/sessions";
import { currentTime } from "@/lib/time/current-time";
import { BeginForm, RemoveForm, RenewForm } from "./second-factor-forms";

/** The state of two-step verification, and the forms to change it. */
export async function SecondFactor({ session }: { session: Session }) {
  const status = await secondFactorStatus(app(), session, currentTime());
  if (status.kind !== "on")
    return (
      <>
        {session.user.lacksSecondFactor && (
          <p className="mb-4 font-medium text-amber">
            Administrators of this site need two-step verification. Set it up to act as an administrator.
          </p>
        )}
        <p className="mb-5 text-quiet">
          It is off. When it is on, logging in takes your password and a code from an app on your phone, so a
          stolen password alone is not enough. Your other sessions end when you turn it on.
        </p>
        {status.kind === "pending" && (
          <p className="mb-5">
            <a href="/account/two-steps">Continue setting it up</a>
          </p>
        )}
        <BeginForm />
      </>
    );
  return (
    <>
      {session.user.lacksSecondFactor && (
        <p className="mb-4 font-medium text-amber">
          You logged in without a code. Log out and in again to act as an administrator.
        </p>
      )}
      <p className="mb-5 text-quiet">
        On since <Day at={status.since} />. Recovery codes left: {status.recoveryCodes}. API tokens need no
        code.
      </p>
      <RenewForm />
      <div className="mt-8">
        <RemoveForm />
      </div>
    </>
  );
}
