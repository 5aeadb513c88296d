import { Section } from "@/app/_components/section";
import { Day } from "@/app/_components/time";
import { app } from "@/lib/app";
import { siteOrigin } from "@/lib/http/site-origin";
import { pendingAccounts } from "@/lib/users/approvals";
import { type ListedInvitation, listInvitations } from "@/lib/users/invitations";
import { InvitationForm } from "./invitation-form";
import { PendingAccounts, type PendingQuery } from "./pending-accounts";
import { withdrawInvitation } from "./registration-actions";

const modeText = {
  open: "Anyone can register.",
  approval:
    "Anyone can register; an account can rate and write once an administrator has approved it, or at once with an invitation.",
  invitation: "Registering requires an invitation.",
  closed: "No one can register.",
};

/** How the site takes new accounts: those that wait for approval, and invitations. */
export async function RegistrationsSection({ now, query }: { now: number; query: PendingQuery }) {
  const context = app();
  const { mode } = context.registration;
  const pending = await pendingAccounts(context, query);
  const invitations = await listInvitations(context, now);
  const takesInvitations = mode === "approval" || mode === "invitation";
  return (
    <Section title="New accounts" id="new-accounts">
      <p className="mb-4 text-sm text-quiet">
        {modeText[mode]} (<code>REGISTRATION={mode}</code>)
      </p>
      {(mode === "approval" || pending.count > 0 || query.search || query.network) && (
        <PendingAccounts {...pending} query={query} />
      )}
      {(takesInvitations || invitations.length > 0) && <Invitations invitations={invitations} />}
      {takesInvitations && <InvitationForm origin={await siteOrigin()} />}
    </Section>
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
