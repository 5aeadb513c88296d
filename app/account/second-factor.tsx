import { Day } from "@/app/_components/time";
import { app } from "@/lib/app";
import { currentTime } from "@/lib/current-time";
import { secondFactorStatus } from "@/lib/second-factor";
import type { Session } from "@/lib/sessions";
import { BeginForm, RemoveForm, RenewForm } from "./second-factor-forms";

/** Whether the user logs in in two steps, and how to change that. */
export async function SecondFactor({ session }: { session: Session }) {
  const status = await secondFactorStatus(app(), session, currentTime());
  if (status.kind !== "on")
    return (
      <>
        {session.user.lacksSecondFactor && (
          <p className="mb-4 font-medium text-amber">
            This site takes administrators’ log-ins in two steps only: set it up to act as an administrator.
          </p>
        )}
        <p className="mb-5 text-quiet">
          Off. With it, logging in takes your password and a code from an app on your phone, so that a stolen
          password alone opens nothing. Your other sessions end when you turn it on.
        </p>
        {status.kind === "pending" && (
          <p className="mb-5">
            <a href="/account/two-steps">Go on with setting it up</a>
          </p>
        )}
        <BeginForm />
      </>
    );
  return (
    <>
      {session.user.lacksSecondFactor && (
        <p className="mb-4 font-medium text-amber">
          This session began without a code: log out and in again to act as an administrator.
        </p>
      )}
      <p className="mb-5 text-quiet">
        On since <Day at={status.since} />. {status.recoveryCodes} recovery codes are left. API tokens take no
        code.
      </p>
      <RenewForm />
      <div className="mt-8">
        <RemoveForm />
      </div>
    </>
  );
}
