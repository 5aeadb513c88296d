import { Day } from "@/app/_components/time";
import { app } from "@/lib/app";
import { type SecondFactorStatus, secondFactorStatus } from "@/lib/second-factor";
import type { Session } from "@/lib/sessions";
import { currentTime } from "@/lib/time/current-time";
import { RemovePasskeyForm } from "./passkey-forms";
import { BeginForm, RemoveForm, RenewForm } from "./second-factor-forms";

/**
 * The state of two-step verification, and the forms to change it.
 * `notice` is about the last action.
 */
export async function SecondFactor({ session, notice }: { session: Session; notice: string | undefined }) {
  const status = await secondFactorStatus(app(), session, currentTime());
  const isOn = status.app.kind === "on" || status.passkeys.length > 0;
  const { lacksSecondFactor } = session.user;
  return (
    <>
      <p role="status" className="mb-4 empty:hidden">
        {notice}
      </p>
      {lacksSecondFactor && (
        <p className="mb-4 font-medium text-amber">
          {isOn
            ? "You logged in with your password only. Log out and in again to act as an administrator."
            : "Administrators of this site need two-step verification. Set it up to act as an administrator."}
        </p>
      )}
      {isOn ? <On status={status} /> : <Off status={status} />}
    </>
  );
}

function Off({ status }: { status: SecondFactorStatus }) {
  return (
    <>
      <p className="mb-5 text-quiet">
        It is off. When it is on, you log in with your password and a second step: a code from an
        authenticator app on your phone, or a passkey. A stolen password alone is then not enough. Turning it
        on logs you out everywhere else.
      </p>
      <App status={status} />
      <p className="mt-6">
        Or <a href="/account/passkeys">add a passkey</a>
      </p>
    </>
  );
}

function On({ status: { app, passkeys, recoveryCodes }, status }: { status: SecondFactorStatus }) {
  return (
    <>
      <p className="mb-5 text-quiet">
        On
        {app.kind === "on" && (
          <>
            {" "}
            with an authenticator app since <Day at={app.since} />
          </>
        )}
        . Recovery codes left: {recoveryCodes}. API tokens need no code.
      </p>
      {passkeys.length > 0 && (
        <RemovePasskeyForm
          passkeys={passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
            id,
            name,
            used:
              lastUsedAt === null ? (
                <>
                  added <Day at={createdAt} />, never used
                </>
              ) : (
                <>
                  last used <Day at={lastUsedAt} />
                </>
              ),
          }))}
        />
      )}
      <p className="mt-4 mb-8">
        <a href="/account/passkeys">Add a passkey</a>
      </p>
      {app.kind !== "on" && (
        <div className="mb-8">
          <p className="mb-5 text-quiet">
            You can also set up an authenticator app, for devices that do not have your passkey.
          </p>
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
          <a href="/account/two-steps">Continue setting up your authenticator app</a>
        </p>
      )}
      <BeginForm />
    </>
  );
}
