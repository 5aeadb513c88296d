"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { signedNotice } from "@/lib/auth/notice";
import { activityPath, windowAnchor } from "@/lib/paths";
import { decideWindow } from "@/lib/ratings/decisions/flood-window-decisions";
import { currentTime } from "@/lib/time/current-time";
import type { FieldErrors } from "@/lib/validation";
import type { FormState } from "./form";
import { formInput, loggedOut, sentForm, sentId, sentName, textValues } from "./form-data";
import { leaveActivity } from "./leave-activity";

/** Counts or excludes a flood window, by an administrator or a moderator. */
export async function decideWindowOf(
  sentSlug: string,
  sentNumber: number,
  _: FormState,
  form: FormData,
): Promise<FormState> {
  const slug = sentName(sentSlug);
  const number = sentId(sentNumber);
  const path = activityPath(slug);
  const user = await getUser();
  if (!user) return loggedOut(path, textValues(sentForm(form), "why"));
  const input = formInput(form, "status", "why", "after");
  const now = currentTime();
  const outcome = await decideWindow(app(), { slug, number, user, input, now });
  const notice = (name: "decided" | "already") => {
    const signed = signedNotice(String(number), { about: `${name} ${slug}`, reader: user, now });
    return `${path}?${name}=${signed}&before=${number + 1}#${windowAnchor(number)}`;
  };
  switch (outcome.kind) {
    case "decided":
      // The header's line on floods changes, too.
      refresh();
      return redirect(notice("decided"));
    // The submitted form was out of date; the page shows the current state.
    case "already-decided":
      refresh();
      return redirect(notice("already"));
    case "invalid":
      return { errors: shownErrors(outcome.errors), values: textValues(sentForm(form), "why") };
    case "forbidden":
    case "no-such-post":
    case "no-such-window":
      return leaveActivity(outcome.kind, slug);
  }
}

/** Reports errors of hidden fields as errors of the form. */
function shownErrors({ why, ...unseen }: FieldErrors): FieldErrors {
  return { ...(why && { why }), form: Object.values(unseen).flat() };
}
