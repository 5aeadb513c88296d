"use server";

import { forbidden, redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { sentForm, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { requireUser } from "@/lib/auth";
import { currentTime } from "@/lib/time/current-time";
import { setModerator } from "@/lib/users/moderators";

/** Makes a user a moderator, or no longer; for administrators. */
export async function changeModerator(_: FormState, form: FormData): Promise<FormState> {
  const actor = await requireUser("/admin");
  const values = textValues(form, "username");
  const username = (values.username ?? "").trim();
  const isModerator = sentForm(form).get("role") === "moderator";
  const outcome = await setModerator(app(), { actor, username, isModerator, now: currentTime() });
  switch (outcome.kind) {
    case "done":
      return redirect("/admin#moderators");
    case "forbidden":
      return forbidden();
    case "no-such-user":
      return { errors: { username: ["There is no user of this name."] }, values };
  }
}
