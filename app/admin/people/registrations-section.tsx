import { Form } from "@/app/_components/form";
import { Section } from "@/app/_components/section";
import { Day } from "@/app/_components/time";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { takesInvitations } from "@/lib/users";
import { pendingAccounts } from "@/lib/users/approvals";
import { type ListedInvitation, listInvitations } from "@/lib/users/invitations";
import { InvitationForm } from "./invitation-form";
import { NumberedPages } from "./numbered-pages";
import { PendingAccounts } from "./pending-accounts";
import { type PendingQuery, pendingPath } from "./pending-query";
import { withdrawInvitation } from "./registration-actions";

/** How the site takes new accounts: those that wait for approval, and invitations. */
export async function RegistrationsSection({ now, query }: { now: number; query: PendingQuery }) {
  const t = translator("adminPeople");
  const context = app();
  const { mode } = context.registration;
  const pending = await pendingAccounts(context, { ...query, perPage: 30 });
  const listed = await listInvitations(context, now, query.invitationsPage);
  const areUseful = takesInvitations(context);
  return (
    <Section title={t("newAccounts")} id="new-accounts">
      <p className="mb-4 text-sm text-quiet">
        {t(`mode.${mode}`)} <a href="/admin/settings">{t("changeMode")}</a>
      </p>
      {(mode === "approval" || pending.count > 0 || query.search || query.network) && (
        <PendingAccounts {...pending} query={query} />
      )}
      {(areUseful || listed.invitations.length > 0) && <Invitations {...listed} />}
      {areUseful && <InvitationForm />}
    </Section>
  );
}

function Invitations({ invitations, page, pages }: Awaited<ReturnType<typeof listInvitations>>) {
  const t = translator("adminPeople");
  return (
    <>
      <h3 className="mb-2 font-medium">{t("invitations.title")}</h3>
      {invitations.length === 0 && <p className="mb-6 text-quiet">{t("invitations.none")}</p>}
      {invitations.length > 0 && (
        <ul className="mb-6 divide-y divide-hairline border-y border-hairline">
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} {...invitation} />
          ))}
        </ul>
      )}
      <NumberedPages
        label={t("invitations.pages")}
        page={page}
        pages={pages}
        pathOf={(invitationsPage) => pendingPath({ invitationsPage })}
      />
    </>
  );
}

function InvitationRow(invitation: ListedInvitation) {
  const t = translator("adminPeople");
  const { id, note, status, createdBy, createdAt } = invitation;
  const made = { time: () => <Day at={createdAt} />, name: () => <bdi>{createdBy}</bdi> };
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <bdi className="break-words">{note}</bdi>
        <p className="text-sm text-quiet">
          {createdBy === null ? t.rich("invitations.madeByDeleted", made) : t.rich("invitations.made", made)}
          {" · "}
          {invitation.makesWriter && app().whoMayWrite !== "anyone" && `${t("invitations.makesWriter")} · `}
          <InvitationStatus {...invitation} />
        </p>
      </div>
      {status !== "used" && (
        <Form action={withdrawInvitation.bind(null, id)}>
          <button type="submit" className="link-button py-1 text-sm">
            {t.rich("invitations.withdraw", {
              note,
              hidden: (chunks) => <span className="sr-only">{chunks}</span>,
            })}
          </button>
        </Form>
      )}
    </li>
  );
}

function InvitationStatus({ status, expiresAt, usedBy }: ListedInvitation) {
  const t = translator("adminPeople");
  const time = () => <Day at={expiresAt} />;
  switch (status) {
    case "ended":
      return t("invitations.ended");
    case "used":
      return usedBy === null
        ? t("invitations.used")
        : t.rich("invitations.usedBy", { name: () => <bdi>{usedBy}</bdi> });
    case "expired":
      return t.rich("invitations.expired", { time });
    case "open":
      return t.rich("invitations.expires", { time });
  }
}
