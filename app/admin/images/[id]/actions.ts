"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { formInput, loggedOut, notAllowed, sentId, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { signedNotice } from "@/lib/auth/notice";
import { removeAnyImage } from "@/lib/media/administration";
import { currentTime } from "@/lib/time/current-time";
import { imageAdminPath } from "../images-path";

/** Removes a user's image, with a reason. */
export async function remove(sent: number, _: FormState, form: FormData): Promise<FormState> {
  const id = sentId(sent);
  const values = textValues(form, "why");
  const actor = await getUser();
  if (!actor) return loggedOut(imageAdminPath(id), values);
  const now = currentTime();
  const outcome = await removeAnyImage(app(), { actor, id, input: formInput(form, "why"), now });
  switch (outcome.kind) {
    case "removed":
    case "no-such-image": {
      const notice = outcome.kind === "removed" ? "removed" : "gone";
      return redirect(
        `/admin/images?done=${signedNotice(notice, { about: "all images", reader: actor, now })}`,
      );
    }
    case "invalid":
      return { errors: outcome.errors, values };
    case "forbidden":
      return notAllowed(values);
  }
}
