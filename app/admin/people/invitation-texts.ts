import { translator } from "@/lib/i18n";
import { invitationDays, invitationRoles } from "@/lib/users/invitations";

/** The texts of the form for a new invitation. */
export function invitationTexts() {
  const t = translator("adminPeople");
  return {
    note: t("invitations.note"),
    noteHelp: t("invitations.noteHelp"),
    role: t("invitations.role"),
    roles: invitationRoles.map((role): [string, string] => [role, t(`invitations.roles.${role}`)]),
    goodFor: t("invitations.goodFor"),
    days: invitationDays.map((days): [string, string] => [
      days,
      t("invitations.days", { count: Number(days) }),
    ]),
    make: t("invitations.make"),
    making: t("invitations.making"),
    made: t("invitations.new"),
    madeHelp: t("invitations.newHelp"),
    done: t("invitations.done"),
  };
}

export type InvitationTexts = ReturnType<typeof invitationTexts>;
