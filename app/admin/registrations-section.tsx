import { Form } from "@/app/_components/form";
import { Section } from "@/app/_components/section";
import { Day } from "@/app/_components/time";
import { app } from "@/lib/app";
import { formatNumber } from "@/lib/limiter/text";
import { siteOrigin } from "@/lib/request/site-origin";
import { pendingAccounts } from "@/lib/users/approvals";
import { type ListedInvitation, listInvitations } from "@/lib/users/invitations";
import { InvitationForm } from "./invitation-form";
import { PendingAccounts, type PendingQuery } from "./pending-accounts";
import { pendingPath } from "./pending-query";
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
  const listed = await listInvitations(context, now, query.invitationsPage);
  const takesInvitations = mode === "approval" || mode === "invitation";
  return (
    <Section title="New accounts" id="new-accounts">
      <p className="mb-4 text-sm text-quiet">
        {modeText[mode]} (<code>REGISTRATION={mode}</code>)
      </p>
      {(mode === "approval" || pending.count > 0 || query.search || query.network) && (
        <PendingAccounts {...pending} query={query} />
      )}
      {(takesInvitations || listed.invitations.length > 0) && <Invitations {...listed} />}
      {takesInvitations && <InvitationForm origin={await siteOrigin()} />}
    </Section>
  );
}

function Invitations({ invitations, page, pages }: Awaited<ReturnType<typeof listInvitations>>) {
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
      {pages > 1 && (
        <nav aria-label="Pages of invitations" className="mb-6 flex flex-wrap gap-5 text-[0.9375rem]">
          {page > 1 && <a href={pendingPath({ invitationsPage: page - 1 })}>Previous</a>}
          <span className="text-quiet">
            Page {formatNumber(page)} of {formatNumber(pages)}
          </span>
          {page < pages && <a href={pendingPath({ invitationsPage: page + 1 })}>Next</a>}
        </nav>
      )}
    </>
  );
}

function InvitationRow({ id, note, status, createdBy, createdAt, expiresAt, usedBy }: ListedInvitation) {
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <bdi className="break-words">{note}</bdi>
        <p className="text-sm text-quiet">
          <bdi dir="ltr">
            made <Day at={createdAt} /> by {createdBy === null ? "a deleted account" : <bdi>{createdBy}</bdi>}{" "}
            ·{" "}
            {status === "ended" ? (
              "no longer valid, because its maker is not an administrator now"
            ) : status === "used" ? (
              <>
                used
                {usedBy !== null && (
                  <>
                    {" "}
                    by <bdi>{usedBy}</bdi>
                  </>
                )}
              </>
            ) : (
              <>
                {status === "expired" ? "expired" : "expires"} <Day at={expiresAt} />
              </>
            )}
          </bdi>
        </p>
      </div>
      {status !== "used" && (
        <Form action={withdrawInvitation.bind(null, id)}>
          <button type="submit" className="link-button py-1 text-sm">
            Withdraw<span className="sr-only"> the invitation {note}</span>
          </button>
        </Form>
      )}
    </li>
  );
}
