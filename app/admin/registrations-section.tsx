import { Section } from "@/app/_components/section";
import { Day, Moment } from "@/app/_components/time";
import { app } from "@/lib/app";
import { siteOrigin } from "@/lib/http/site-origin";
import { type PendingAccount, pendingAccounts, pendingShownAtMost } from "@/lib/users/approvals";
import { type ListedInvitation, listInvitations } from "@/lib/users/invitations";
import { InvitationForm } from "./invitation-form";
import { PendingForm } from "./pending-form";
import { withdrawInvitation } from "./registration-actions";

const modeText = {
  open: "Anyone can register.",
  approval:
    "Anyone can register; an account can rate and write once an administrator has approved it, or at once with an invitation.",
  invitation: "Registering requires an invitation.",
  closed: "No one can register.",
};

/** How the site takes new accounts: those that wait for approval, and invitations. */
export async function RegistrationsSection({ now }: { now: number }) {
  const context = app();
  const { mode } = context.registration;
  const pending = await pendingAccounts(context);
  const invitations = await listInvitations(context, now);
  const takesInvitations = mode === "approval" || mode === "invitation";
  return (
    <Section title="New accounts" id="new-accounts">
      <p className="mb-4 text-sm text-quiet">
        {modeText[mode]} (<code>REGISTRATION={mode}</code>)
      </p>
      {(mode === "approval" || pending.length > 0) && <PendingAccounts accounts={pending} />}
      {(takesInvitations || invitations.length > 0) && <Invitations invitations={invitations} />}
      {takesInvitations && <InvitationForm origin={await siteOrigin()} />}
    </Section>
  );
}

function PendingAccounts({ accounts }: { accounts: readonly PendingAccount[] }) {
  return (
    <>
      <h3 className="mb-2 font-medium">Waiting for approval</h3>
      {accounts.length === 0 && <p className="mb-6 text-quiet">There are none.</p>}
      {accounts.length > 0 && (
        <ul className="mb-6 divide-y divide-hairline border-y border-hairline">
          {accounts.map(({ username, email, pendingSince }) => (
            <li key={username} className="py-3">
              <PendingForm username={username}>
                <bdi className="font-medium">{username}</bdi>
                <span className="block text-sm text-quiet">
                  <bdi dir="ltr" className="break-all">
                    {email}
                  </bdi>
                  {" · "}
                  <bdi dir="ltr">
                    <Moment at={pendingSince} />
                  </bdi>
                </span>
              </PendingForm>
            </li>
          ))}
        </ul>
      )}
      {accounts.length === pendingShownAtMost && (
        <p className="mb-6 text-sm text-quiet">There may be more: these have waited longest.</p>
      )}
    </>
  );
}

function Invitations({ invitations }: { invitations: readonly ListedInvitation[] }) {
  return (
    <>
      <h3 className="mb-2 font-medium">Invitations</h3>
      {invitations.length === 0 && <p className="mb-6 text-quiet">There are none yet.</p>}
      {invitations.length > 0 && (
        <ul className="mb-6 divide-y divide-hairline border-y border-hairline">
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} {...invitation} />
          ))}
        </ul>
      )}
    </>
  );
}

function InvitationRow({ id, note, status, createdAt, expiresAt, usedBy }: ListedInvitation) {
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <bdi className="break-words">{note}</bdi>
        <p className="text-sm text-quiet">
          <bdi dir="ltr">
            made <Day at={createdAt} /> ·{" "}
            {status === "used" ? (
              <>used{usedBy !== null && <> by {usedBy}</>}</>
            ) : (
              <>
                {status === "expired" ? "expired" : "expires"} <Day at={expiresAt} />
              </>
            )}
          </bdi>
        </p>
      </div>
      {status !== "used" && (
        <form action={withdrawInvitation.bind(null, id)}>
          <button type="submit" className="button">
            Withdraw<span className="sr-only"> the invitation {note}</span>
          </button>
        </form>
      )}
    </li>
  );
}
