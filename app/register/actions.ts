"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { formInput, refused, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { startSession } from "@/lib/auth";
import { clientAddress } from "@/lib/http/current-request";
import { localPath } from "@/lib/paths";
import * as users from "@/lib/users";

export async function register(next: string, _: FormState, form: FormData): Promise<FormState> {
  const now = Date.now();
  const input = formInput(form, "username", "email", "password");
  const address = clientAddress();
  const outcome = await users.register(app(), { input, address, now });
  const values = textValues(form, "username", "email");
  switch (outcome.kind) {
    case "registered":
      await startSession(outcome.claim);
      return redirect(localPath(next));
    case "invalid":
    case "taken":
      return { errors: outcome.errors, values };
    case "limited":
    case "denied":
    case "unavailable":
      return refused(outcome, now, values);
  }
}
