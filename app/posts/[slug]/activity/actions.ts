"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { formInput, loggedOut, refused, sentId, sentName, textValues } from "@/app/_components/form-data";
import { leaveActivity } from "@/app/_components/leave-activity";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { activityPath, windowAnchor } from "@/lib/paths";
import { requestReview } from "@/lib/ratings/decisions/review-requests";
import { clientAddress } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";

/** Requests a review of a flood window, by the post's author. */
export async function requestReviewOf(
  sentSlug: string,
  sentNumber: number,
  _: FormState,
  form: FormData,
): Promise<FormState> {
  const slug = sentName(sentSlug);
  const number = sentId(sentNumber);
  const path = activityPath(slug);
  const user = await getUser();
  if (!user) return loggedOut(path, textValues(form, "why"));
  const now = currentTime();
  const request = { slug, number, user, address: clientAddress(), input: formInput(form, "why"), now };
  const outcome = await requestReview(app(), request);
  switch (outcome.kind) {
    case "requested":
    // The page shows the open request.
    case "already-requested":
      return redirect(`${path}?before=${number + 1}#${windowAnchor(number)}`);
    case "invalid":
    case "limited":
    case "denied":
    case "unavailable":
      return refused(outcome, now, textValues(form, "why"));
    case "forbidden":
    case "no-such-post":
    case "no-such-window":
      return leaveActivity(outcome.kind, slug);
  }
}
