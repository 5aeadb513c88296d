"use server";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { formInput, refused } from "@/app/_components/form-answers";
import { app } from "@/lib/app";
import { endSession, getUser, requireUser, startSession } from "@/lib/auth";
import { clientAddress } from "@/lib/http/client-address";
import * as users from "@/lib/users";

export async function logOut(): Promise<void> {
  await endSession();
  redirect("/");
}

/** Ends every session of the user's, on every device. */
export async function logOutEverywhere(): Promise<void> {
  const user = await getUser();
  if (user) await users.logOutEverywhere(app(), user);
  await endSession();
  redirect("/login?ended=everywhere");
}

/** Changes the password; every other session ends, this one goes on. */
export async function changePassword(_: FormState, form: FormData): Promise<FormState> {
  const request = await passwordRequest(form, "currentPassword", "newPassword");
  const outcome = await users.changePassword(app(), request);
  switch (outcome.kind) {
    case "changed":
      await startSession(outcome.claim);
      return redirect("/account?changed=password");
    case "invalid":
      return { errors: outcome.errors };
    case "wrong":
      return { errors: { currentPassword: ["This is not your current password."] } };
    case "limited":
    case "denied":
    case "unavailable":
      return refused(outcome, request.now);
  }
}

/** Deletes the account with its posts and ratings. */
export async function deleteAccount(_: FormState, form: FormData): Promise<FormState> {
  const request = await passwordRequest(form, "currentPassword");
  const outcome = await users.deleteAccount(app(), request);
  switch (outcome.kind) {
    case "deleted":
      await endSession();
      return redirect("/");
    case "invalid":
      return { errors: outcome.errors };
    case "wrong":
      return { errors: { currentPassword: ["This is not your password."] } };
    case "limited":
    case "denied":
    case "unavailable":
      return refused(outcome, request.now);
  }
}

async function passwordRequest(form: FormData, ...names: string[]) {
  const user = await requireUser("/account");
  return { user, input: formInput(form, ...names), address: clientAddress(await headers()), now: Date.now() };
}
