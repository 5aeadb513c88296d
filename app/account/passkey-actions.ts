"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { sentForm, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { trustedOrigin } from "@/lib/request/site-origin";
import * as passkeys from "@/lib/second-factor/passkeys";
import { passkeySite } from "@/lib/second-factor/webauthn";
import { refusedState, secondFactorPath, sessionRequest } from "./confirmation";

/**
 * Adds a passkey in two steps.
 * The first returns options for the browser, which sends its registration response with the same form.
 * Returns the recovery codes in the form's state when it is the first second factor.
 */
export async function addPasskey(_: FormState, form: FormData): Promise<FormState> {
  const site = passkeySite(await trustedOrigin());
  if (!site) return { errors: { form: ["Passkeys do not work at this address of the site."] } };
  const request = { ...(await sessionRequest(form, "name", "currentPassword", "response")), site };
  const values = textValues(form, "name");
  const isFirstStep = (sentForm(form).get("response") ?? "") === "";
  const outcome = isFirstStep
    ? await passkeys.beginPasskey(app(), request)
    : await passkeys.addPasskey(app(), request);
  switch (outcome.kind) {
    case "begun":
      return { values: { ...values, options: outcome.options } };
    case "added":
      if (outcome.codes) return { made: outcome.codes.join("\n") };
      return redirect(secondFactorPath("added", request.session.user));
    case "wrong-passkey":
      return { errors: { form: ["This passkey was not accepted. Try again."] }, values };
    case "too-many":
      return {
        errors: { form: [`You have ${passkeys.passkeysMaximum} passkeys. Remove one first.`] },
        values,
      };
    default:
      return refusedState(outcome, request.now, values);
  }
}

/** Removes a passkey; with the last second factor, the recovery codes too. */
export async function removePasskey(_: FormState, form: FormData): Promise<FormState> {
  const request = await sessionRequest(form, "passkey", "currentPassword");
  const outcome = await passkeys.removePasskey(app(), request);
  if (outcome.kind === "removed") return redirect(secondFactorPath("removed", request.session.user));
  if (outcome.kind === "not-found")
    return {
      errors: { passkey: ["This passkey was removed already. Reload the page to see your passkeys."] },
    };
  return refusedState(outcome, request.now, textValues(form, "passkey"));
}
