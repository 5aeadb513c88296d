"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { refusedState } from "@/app/_components/confirmation";
import type { FormState } from "@/app/_components/form";
import {
  formInput,
  loggedOut,
  notAllowed,
  reasonErrors,
  sentName,
  textValues,
} from "@/app/_components/form-data";
import { showNotice } from "@/app/_components/show-notice";
import { app } from "@/lib/app";
import { getSession, getUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { personPath } from "@/lib/paths";
import { clientAddress } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";
import { changeRoleInSession, endSessionsOf, personNamed } from "@/lib/users/people";
import { changeOrPreview } from "../../change-accounts";

/**
 * Gives a person another role; for administrators.
 * They enter the password again to make an administrator, or to take that role away.
 */
export async function changePersonsRole(sent: string, _: FormState, form: FormData): Promise<FormState> {
  const username = sentName(sent);
  const values = textValues(form, "role", "why");
  const session = await getSession();
  if (!session) return loggedOut(personPath(username), values);
  const t = translator("adminPeople");
  const input = formInput(form, "role", "why", "currentPassword");
  const now = currentTime();
  const change = { session, address: clientAddress(), username, input, now };
  const outcome = await changeRoleInSession(app(), change);
  switch (outcome.kind) {
    case "done":
      return done(session.user, username, "role", "#role");
    case "invalid": {
      const { role, ...errors } = outcome.errors;
      return { errors: { ...errors, ...(role && { form: [t("person.unknownRole")] }) }, values };
    }
    case "session-ended":
      return loggedOut(personPath(username), values);
    case "own-role":
      return { errors: { form: [t("person.ownRole")] }, values };
    case "last-administrator":
      return { errors: { form: [t("person.lastAdministrator")] }, values };
    case "password-required":
    case "forbidden":
      return notAllowed(values);
    case "no-such-user":
      return { errors: { form: [t("person.gone")] }, values };
    default:
      return refusedState(outcome, now, values);
  }
}

/** Ends one session of a person, or all; for administrators. */
export async function endPersonsSessions(sent: string, _: FormState, form: FormData): Promise<FormState> {
  const username = sentName(sent);
  const actor = await getUser();
  if (!actor) return loggedOut(personPath(username));
  const { session: chosen = "" } = textValues(form, "session");
  if (chosen !== "all" && !/^\d{1,15}$/.test(chosen)) return {};
  const session = chosen === "all" ? chosen : Number(chosen);
  const outcome = await endSessionsOf(app(), { actor, username, session, now: currentTime() });
  if (outcome.kind === "forbidden") return notAllowed();
  if (outcome.kind === "no-such-user")
    return { errors: { form: [translator("adminPeople")("person.gone")] } };
  if (outcome.kind === "no-such-session") {
    refresh();
    return { errors: { form: [translator("adminPeople")("person.noSuchSession")] } };
  }
  return done(actor, username, "sessions", "#sessions");
}

/** Disables or enables a person after a preview; for administrators. */
export async function changePerson(sent: string, _: FormState, form: FormData): Promise<FormState> {
  const username = sentName(sent);
  const values = textValues(form, "why");
  const actor = await getUser();
  if (!actor) return loggedOut(personPath(username), values);
  const submitted = { ...values, ...textValues(form, "step", "checked") };
  const outcome = await changeOrPreview({ actor, usernames: [username], values: submitted });
  switch (outcome.kind) {
    case "forbidden":
      return notAllowed(values);
    case "invalid":
      return { errors: reasonErrors(outcome.errors), values };
    case "preview":
      return { values: { ...values, ...outcome.values } };
    case "changed": {
      const { disabled, result } = outcome;
      const notice = `${disabled ? "disabled" : "enabled"}-${result.ratings}-${result.posts}`;
      return done(actor, username, notice, "#disable");
    }
  }
}

/** Leads back to the person's page, with a notice of the change. */
async function done(actor: User, username: string, notice: string, anchor: string): Promise<never> {
  const now = currentTime();
  const found = await personNamed(app(), { actor, username, now });
  if (found.kind !== "person") return redirect("/admin/people");
  const context = { about: `person ${found.person.id}`, reader: actor, now };
  const path = personPath(found.person.username);
  return showNotice(notice, context, (signed) => `${path}?done=${signed}${anchor}`);
}
