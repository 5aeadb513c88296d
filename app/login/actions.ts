"use server";

import { redirect } from "next/navigation";
import { saveKeptChoice } from "@/app/_components/chosen-stars";
import type { FormState } from "@/app/_components/form";
import { formInput, refused, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { browserCookie, clientDevice, keepSession, keepTicket, sentTicket } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { localPath } from "@/lib/paths";
import { clientAddress } from "@/lib/request/current-request";
import { trustedOrigin } from "@/lib/request/site-origin";
import { passkeySite } from "@/lib/second-factor/webauthn";
import { pathAfterLogIn } from "@/lib/site/welcome";
import { currentTime } from "@/lib/time/current-time";
import * as users from "@/lib/users";

export async function logIn(next: string, _: FormState, form: FormData): Promise<FormState> {
  const now = currentTime();
  const t = translator("logIn");
  const input = formInput(form, "username", "password");
  const address = clientAddress();
  const outcome = await users.logIn(app(), {
    input,
    address,
    now,
    device: await clientDevice(),
    browser: await browserCookie(),
  });
  const values = textValues(form, "username");
  switch (outcome.kind) {
    case "logged-in":
      await keepSession(outcome);
      return redirect(
        await saveKeptChoice(outcome.user, await pathAfterLogIn(app(), outcome.user, localPath(next))),
      );
    case "code-needed":
      await keepTicket(outcome.ticket);
      return redirect(`/login/code?next=${encodeURIComponent(localPath(next))}`);
    case "wrong-code":
      return { errors: { form: [t("code.wrong")] }, values };
    case "wrong":
      return { errors: { form: [t("wrong")] }, values };
    case "disabled":
      return { errors: { form: [t("disabled")] }, values };
    default:
      return refused(outcome, now, values);
  }
}

/** Continues a log-in with a one-time code, a recovery code or a passkey. */
export async function enterCode(next: string, _: FormState, form: FormData): Promise<FormState> {
  const now = currentTime();
  const t = translator("logIn");
  const { code = "", passkey: response = "" } = textValues(form, "code", "passkey");
  if (response === "" && code.trim() === "") return { errors: { code: [t("code.missing")] } };
  const site = passkeySite(await trustedOrigin());
  const outcome = await users.continueLogIn(app(), {
    ticket: await sentTicket(),
    ...(response === "" ? { code } : { passkey: { response, site } }),
    address: clientAddress(),
    now,
    device: await clientDevice(),
    browser: await browserCookie(),
  });
  switch (outcome.kind) {
    case "logged-in":
      await keepSession(outcome);
      return redirect(
        await saveKeptChoice(outcome.user, await pathAfterLogIn(app(), outcome.user, localPath(next))),
      );
    case "wrong-code":
    case "code-needed":
      if (response !== "") return { errors: { form: [t("passkey.refused")] } };
      return { errors: { code: [t("code.wrong")] } };
    case "expired":
    case "wrong":
      return { errors: { form: [t("code.tooLate")] } };
    case "disabled":
      return { errors: { form: [t("disabled")] } };
    case "limited":
    case "denied":
    case "unavailable":
      return refused(outcome, now);
  }
}
