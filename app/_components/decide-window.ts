"use server";

import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { activityPath, windowAnchor } from "@/lib/paths";
import { decideWindow } from "@/lib/ratings/decisions/flood-window-decisions";
import { currentTime } from "@/lib/time/current-time";
import type { FormState } from "./form";
import { formInput, loggedOut, reasonErrors, sentId, sentName, textValues } from "./form-data";
import { redirectFromActivity } from "./redirect-from-activity";
import { showNotice } from "./show-notice";

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
  const values = textValues(form, "why");
  const user = await getUser();
  if (!user) return loggedOut(path, values);
  const input = formInput(form, "status", "why", "after");
  const now = currentTime();
  const outcome = await decideWindow(app(), { slug, number, user, input, now });
  const show = (name: "decided" | "already") =>
    showNotice(
      String(number),
      { about: `${name} ${slug}`, reader: user, now },
      (signed) => `${path}?${name}=${signed}&before=${number + 1}#${windowAnchor(number)}`,
    );
  switch (outcome.kind) {
    case "decided":
      return show("decided");
    // The submitted form was out of date; the page shows the current state.
    case "already-decided":
      return show("already");
    case "invalid":
      return { errors: reasonErrors(outcome.errors), values };
    case "forbidden":
    case "no-such-post":
    case "no-such-window":
      return redirectFromActivity(outcome.kind, slug, values);
  }
}
