"use server";

import { forbidden, redirect } from "next/navigation";
import { sentName } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { requireUser } from "@/lib/auth";
import { userPath } from "@/lib/paths";
import { setDisabled } from "@/lib/users";

/** Disables or enables a user; for administrators. */
export async function setUserDisabled(sent: string, disabled: boolean): Promise<void> {
  const username = sentName(sent);
  const actor = await requireUser(userPath(username));
  const outcome = await setDisabled(app(), { actor, username, disabled: disabled === true, now: Date.now() });
  if (outcome.kind === "forbidden") forbidden();
  redirect(userPath(username));
}
