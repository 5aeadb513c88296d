"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { formInput, refused, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { browserCookie, clientDevice, keepSession } from "@/lib/auth";
import { currentTime } from "@/lib/current-time";
import { clientAddress } from "@/lib/http/current-request";
import { localPath } from "@/lib/paths";
import * as users from "@/lib/users";

export async function logIn(next: string, _: FormState, form: FormData): Promise<FormState> {
  const now = currentTime();
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
      return redirect(localPath(next));
    case "invalid":
      return { errors: outcome.errors, values };
    case "wrong":
      return { errors: { form: ["The username or the password is wrong."] }, values };
    case "disabled":
      return { errors: { form: ["This account is disabled. Ask the administrator."] }, values };
    case "passwords-busy":
    case "limited":
    case "denied":
    case "unavailable":
      return refused(outcome, now, values);
  }
}
