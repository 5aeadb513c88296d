import { Form } from "@/app/_components/form";
import { Field, Select, SubmitButton } from "@/app/_components/form-fields";
import { UntilMade } from "@/app/_components/until-made";
import { translator } from "@/lib/i18n";
import { siteOrigin } from "@/lib/request/site-origin";
import { invitationDays, invitationRoles } from "@/lib/users/invitations";
import { makeInvitation } from "./registration-actions";

/** The form for a new invitation, replaced by its link once made. */
export async function InvitationForm() {
  const t = translator("adminPeople");
  return (
    <Form action={makeInvitation} className="max-w-sm">
      <UntilMade
        secret={{
          id: "new-invitation",
          label: t("invitations.new"),
          help: t("invitations.newHelp"),
          rows: 3,
          link: `${await siteOrigin()}/register?invitation=`,
        }}
        after={
          <p>
            {/* Without a fragment, so that the browser loads the page again. */}
            <a href="/admin/people">{t("invitations.done")}</a>
          </p>
        }
      >
        <Field
          label={t("invitations.note")}
          name="note"
          autoComplete="off"
          maxLength={100}
          help={t("invitations.noteHelp")}
        />
        <Select
          label={t("invitations.role")}
          name="role"
          options={invitationRoles.map((value) => ({ value, label: t(`invitations.roles.${value}`) }))}
          defaultValue="writer"
        />
        <Select
          label={t("invitations.goodFor")}
          name="days"
          options={invitationDays.map((value) => ({
            value,
            label: t("invitations.days", { count: Number(value) }),
          }))}
          defaultValue="7"
        />
        <div>
          <SubmitButton pending={t("invitations.making")}>{t("invitations.make")}</SubmitButton>
        </div>
      </UntilMade>
    </Form>
  );
}
