"use server";

import { redirect } from "next/navigation";
import { inSession, refusedState } from "@/app/_components/confirmation";
import type { FormState } from "@/app/_components/form";
import { sentForm, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { trustedOrigin } from "@/lib/request/site-origin";
import * as passkeys from "@/lib/second-factor/passkeys";
import { passkeySite } from "@/lib/second-factor/webauthn";
import { secondFactorPath } from "./second-factor-notice";

/**
 * Adds a passkey in two steps.
 * The first returns options for the browser, which sends its registration response with the same form.
 * Returns the recovery codes in the form's state when it is the first second factor.
 */
export async function addPasskey(_: FormState, form: FormData): Promise<FormState> {
  const site = passkeySite(await trustedOrigin());
  const t = translator("account");
  if (!site) return { errors: { form: [t("passkeys.impossibleHere")] } };
  return inSession(form, ["name", "currentPassword", "response"], async (request) => {
    const values = textValues(form, "name");
    const isFirstStep = (sentForm(form).get("response") ?? "") === "";
    const outcome = isFirstStep
      ? await passkeys.beginPasskey(app(), { ...request, site })
      : await passkeys.addPasskey(app(), { ...request, site });
    switch (outcome.kind) {
      case "begun":
        return { values: { ...values, options: outcome.options } };
      case "added":
        if (outcome.codes) return { made: outcome.codes.join("\n") };
        return redirect(secondFactorPath("added", request.session.user));
      case "wrong-passkey":
        return { errors: { form: [t("passkeys.wrong")] }, values };
      case "too-many": {
        const error = t("passkeys.tooMany", { maximum: passkeys.passkeysMaximum });
        return { errors: { form: [error] }, values };
      }
      default:
        return refusedState(outcome, request.now, values);
    }
  });
}

/** Removes a passkey; with the last second factor, the recovery codes too. */
export async function removePasskey(_: FormState, form: FormData): Promise<FormState> {
  return inSession(form, ["passkey", "currentPassword"], async (request) => {
    const outcome = await passkeys.removePasskey(app(), request);
    if (outcome.kind === "removed") return redirect(secondFactorPath("removed", request.session.user));
    if (outcome.kind === "not-found")
      return { errors: { passkey: [translator("account")("passkeys.gone")] } };
    return refusedState(outcome, request.now, textValues(form, "passkey"));
  });
}
