"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { inSession, lostSession, refusedState } from "@/app/_components/confirmation";
import type { FormState } from "@/app/_components/form";
import { formInput, sentForm, sentId, textValues } from "@/app/_components/form-data";
import { permitExport } from "@/lib/account-export";
import { createApiToken, revokeApiToken } from "@/lib/api-tokens";
import { app } from "@/lib/app";
import { clientDevice, endSession, getSession, getUser, keepSession, loggedOutReader } from "@/lib/auth";
import { signedNotice } from "@/lib/auth/notice";
import { translator } from "@/lib/i18n";
import * as secondFactor from "@/lib/second-factor";
import { endOneSession, endOtherSessions } from "@/lib/sessions";
import { currentTime } from "@/lib/time/current-time";
import * as users from "@/lib/users";
import { secondFactorPath } from "./second-factor-notice";

/** Ends all of the user's sessions, on every device. */
export async function logOutEverywhere(): Promise<never> {
  const user = await getUser();
  if (user) await users.logOutEverywhere(app(), user);
  await endSession();
  return redirectLoggedOut("everywhere");
}

/** Ends one of the user's sessions; the current one as logging out does. */
export async function endOne(sent: number): Promise<FormState> {
  const session = await getSession();
  if (!session) return lostSession("/account");
  const id = sentId(sent);
  if (id === session.id) {
    await endSession();
    return redirectLoggedOut("here");
  }
  await endOneSession(app(), session, id);
  refresh();
  return redirect(sessionsPath("one", session.user));
}

/** Ends all of the user's sessions except this one. */
export async function endOthers(): Promise<FormState> {
  const session = await getSession();
  if (!session) return lostSession("/account");
  await endOtherSessions(app(), session);
  refresh();
  return redirect(sessionsPath("others", session.user));
}

/** Changes the password and ends every other session. */
export async function changePassword(_: FormState, form: FormData): Promise<FormState> {
  return inSession(form, ["currentPassword", "newPassword"], async (request) => {
    const { user } = request.session;
    const outcome = await users.changePassword(app(), { ...request, device: await clientDevice() });
    if (outcome.kind === "wrong")
      return { errors: { currentPassword: [translator("account")("password.wrong")] } };
    if (outcome.kind !== "changed") return refusedState(outcome, request.now);
    await keepSession({ ...outcome, user });
    return redirect(
      `/account?changed=${signedNotice("password", { about: "changed", reader: user, now: currentTime() })}`,
    );
  });
}

/**
 * Permits the download of the user's data, when the password is right.
 * For a user who wants to leave, the page offers the deletion next.
 */
export async function requestExport(_: FormState, form: FormData): Promise<FormState> {
  return inSession(form, ["currentPassword"], async (request) => {
    const outcome = await permitExport(app(), request);
    if (outcome.kind !== "permitted") return refusedState(outcome, request.now);
    const leave = sentForm(form).get("leave") === "yes" ? "&leave=yes" : "";
    return redirect(`/account/export?ticket=${encodeURIComponent(outcome.ticket)}${leave}`);
  });
}

/** Deletes the account with its posts and ratings, when the password is right. */
export async function deleteAccount(_: FormState, form: FormData): Promise<FormState> {
  return inSession(form, ["currentPassword"], async (request) => {
    const outcome = await users.deleteAccount(app(), request);
    if (outcome.kind !== "deleted") return refusedState(outcome, request.now);
    await endSession();
    return redirect("/");
  });
}

/** Creates an API token; returns it in the form's state, never in a URL. */
export async function makeToken(_: FormState, form: FormData): Promise<FormState> {
  return inSession(form, ["name", "lifetime", "currentPassword"], async (request) => {
    const scopes = sentForm(form).getAll("scopes");
    const input = { ...formInput(form, "name", "lifetime", "currentPassword"), scopes };
    const outcome = await createApiToken(app(), { ...request, input });
    const values = {
      ...textValues(form, "name", "lifetime"),
      scopes: scopes.filter((scope) => typeof scope === "string").join(" "),
    };
    if (outcome.kind !== "created") return refusedState(outcome, request.now, values);
    refresh();
    return { made: outcome.token };
  });
}

/** Begins to set up the second factor; the next step is on a page of its own. */
export async function beginSecondFactor(_: FormState, form: FormData): Promise<FormState> {
  return inSession(form, ["currentPassword"], async (request) => {
    const outcome = await secondFactor.beginSecondFactor(app(), request);
    if (outcome.kind === "begun" || outcome.kind === "on-already") return redirect("/account/two-steps");
    return refusedState(outcome, request.now);
  });
}

/** Turns the second factor on; returns the recovery codes in the form's state. */
export async function confirmSecondFactor(_: FormState, form: FormData): Promise<FormState> {
  return inSession(form, ["code", "currentPassword"], async (request) => {
    const outcome = await secondFactor.confirmSecondFactor(app(), request);
    const values = textValues(form, "code");
    const t = translator("account");
    switch (outcome.kind) {
      case "on":
        if (outcome.codes) return { made: outcome.codes.join("\n") };
        return redirect(secondFactorPath("app", request.session.user));
      case "wrong-code":
        return { errors: { code: [t("steps.wrongCode")] }, values, keepsPasswords: true };
      case "not-begun":
        return { errors: { form: [t("steps.tooLate")] } };
      default:
        return refusedState(outcome, request.now, values);
    }
  });
}

/** Makes new recovery codes; returns them in the form's state. */
export async function renewRecoveryCodes(_: FormState, form: FormData): Promise<FormState> {
  return inSession(form, ["currentPassword"], async (request) => {
    const outcome = await secondFactor.renewRecoveryCodes(app(), request);
    if (outcome.kind === "renewed") return { made: outcome.codes.join("\n") };
    if (outcome.kind === "off") return redirect("/account#two-steps");
    return refusedState(outcome, request.now);
  });
}

export async function removeSecondFactor(_: FormState, form: FormData): Promise<FormState> {
  return inSession(form, ["currentPassword"], async (request) => {
    const outcome = await secondFactor.removeSecondFactor(app(), request);
    if (outcome.kind === "off") return redirect(secondFactorPath("off", request.session.user));
    return refusedState(outcome, request.now);
  });
}

/** Revokes an API token. */
export async function revokeToken(sent: number): Promise<FormState> {
  const user = await getUser();
  if (!user) return lostSession("/account");
  await revokeApiToken(app(), { user, id: sentId(sent) });
  const notice = signedNotice("token", { about: "revoked", reader: user, now: currentTime() });
  refresh();
  return redirect(`/account?revoked=${notice}#api-tokens`);
}

function sessionsPath(ended: string, reader: users.User): string {
  return `/account?ended=${signedNotice(ended, { about: "ended", reader, now: currentTime() })}#sessions`;
}

/** Redirects to the log-in page, with a notice that a session or account has ended. */
async function redirectLoggedOut(ended: string): Promise<never> {
  const reader = await loggedOutReader();
  return redirect(`/login?ended=${signedNotice(ended, { about: "ended", reader, now: currentTime() })}`);
}
