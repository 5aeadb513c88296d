"use server";

import { redirect } from "next/navigation";
import { saveKeptChoice } from "@/app/_components/chosen-stars";
import type { FormState } from "@/app/_components/form";
import { formInput, jsonField, loggedOut, refused, sentName, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { clientDevice, getUser, keepSession } from "@/lib/auth";
import type { ChallengeFault } from "@/lib/challenge";
import { translator } from "@/lib/i18n";
import { explainBusy } from "@/lib/limits/refusal";
import { localPath } from "@/lib/paths";
import { clientAddress } from "@/lib/request/current-request";
import { welcomePath } from "@/lib/site/welcome";
import { currentTime } from "@/lib/time/current-time";
import * as users from "@/lib/users";
import * as invitations from "@/lib/users/invitations";

export async function register(
  next: string,
  invitation: string | null,
  _: FormState,
  form: FormData,
): Promise<FormState> {
  const now = currentTime();
  const input = {
    ...formInput(form, "username", "email", "password"),
    challenge: jsonField(form, "challenge"),
    solution: jsonField(form, "solution"),
    ...(typeof invitation === "string" && { invitation }),
  };
  const address = clientAddress();
  const outcome = await users.register(app(), {
    input,
    address,
    now,
    device: await clientDevice(),
    mayWait: true,
  });
  const values = textValues(form, "username", "email", "challenge");
  switch (outcome.kind) {
    case "registered":
      await keepSession(outcome);
      return redirect(await saveKeptChoice(outcome.user, landingPath(next, outcome.user)));
    case "confirmation-sent":
      return redirect("/register?sent");
    case "not-open":
      return { errors: { form: [translator("register")(`notOpen.${outcome.reason}`)] }, values };
    case "invalid":
      if (outcome.errors.challenge || outcome.errors.solution)
        return challengeState({ fault: "forged" }, values, now);
      return { errors: outcome.errors, values };
    case "taken":
      return { errors: outcome.errors, values };
    case "challenge":
      return challengeState(outcome.fault, values, now);
    case "names-busy":
      return { errors: { form: [explainBusy("names")] }, values, keepsPasswords: true };
    case "passwords-busy":
    case "limited":
    case "denied":
    case "unavailable":
      return refused(outcome, now, values);
  }
}

/** Lets the logged-in reader write, by an invitation. */
export async function acceptInvitation(sent: string): Promise<FormState> {
  const token = sentName(sent);
  const user = await getUser();
  if (!user) return loggedOut(`/register?invitation=${encodeURIComponent(token)}`);
  const outcome = await invitations.acceptInvitation(app(), { user, token, now: currentTime() });
  if (outcome.kind === "accepted") return redirect("/posts/new");
  return { errors: { form: [translator("register")("notOpen.bad-invitation")] } };
}

/**
 * The page after registration.
 * The first account sets up the site; others return to the page that they came from. Without one, the account page tells
 * that an account waits for approval.
 */
function landingPath(next: string, { isPending, isAdministrator }: users.User): string {
  if (isAdministrator) return welcomePath;
  const path = localPath(next);
  if (path !== "/") return path;
  return isPending ? "/account" : path;
}

/**
 * The form again, with the same challenge or a new one.
 * The challenge stays the same while its waiting time is not over.
 */
async function challengeState(
  fault: ChallengeFault,
  values: Record<string, string>,
  now: number,
): Promise<FormState> {
  if (fault.fault === "too-early") {
    const text = translator("register")("tooEarly");
    return { values, refusal: { text, retryAfterMs: fault.retryAfterMs, at: now } };
  }
  const challenge = JSON.stringify(await users.registrationChallenge(app(), now));
  return { values: { ...values, challenge }, errors: { form: [translator("register")("expired")] } };
}
