"use server";

import { forbidden, redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { formInput, refused, sentForm, sentName, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { requireUser } from "@/lib/auth";
import { postPath } from "@/lib/paths";
import { deletePost, updatePost } from "@/lib/posts";
import { busyMessage } from "@/lib/posts/text";
import {
  createRating,
  type RatingOutcome,
  type RatingRequest,
  updateRating,
  withdrawRating,
} from "@/lib/ratings";
import { scoreFromForm } from "@/lib/ratings/schema";
import { clientAddress } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import { ratedPath } from "./rating-notice";

/** Saves the reader's first rating of a post. */
export async function createRatingOf(slug: string, _: FormState, form: FormData): Promise<FormState> {
  const request = await ratingRequest(slug, form);
  return ratingAnswer(await createRating(app(), request), request, form);
}

/** Changes the reader's rating of a post. */
export async function updateRatingOf(slug: string, _: FormState, form: FormData): Promise<FormState> {
  const request = await ratingRequest(slug, form);
  return ratingAnswer(await updateRating(app(), request), request, form);
}

/** Withdraws the reader's rating of a post. */
export async function withdrawRatingOf(sent: string): Promise<void> {
  const slug = sentName(sent);
  const user = await requireUser(postPath(slug));
  const now = currentTime();
  const outcome = await withdrawRating(app(), { slug, userId: user.id, now });
  redirect(outcome.kind === "no-such-post" ? postPath(slug) : ratedPath("withdrawn", { slug, user, now }));
}

/** Replaces the title and content of the author's own post. */
export async function savePost(sent: string, _: FormState, form: FormData): Promise<FormState> {
  const slug = sentName(sent);
  const user = await requireUser(`${postPath(slug)}/edit`);
  const input = formInput(form, "title", "content");
  const address = clientAddress();
  const now = currentTime();
  const outcome = await updatePost(app(), { user, slug, address, input, now });
  switch (outcome.kind) {
    case "updated":
      return redirect(postPath(slug));
    case "invalid":
      return { errors: outcome.errors, values: textValues(form, "title", "content") };
    case "busy":
      return { errors: { form: [busyMessage] }, values: textValues(form, "title", "content") };
    case "limited":
    case "denied":
    case "unavailable":
      return refused(outcome, now, textValues(form, "title", "content"));
    case "forbidden":
      return forbidden();
    case "no-such-post":
      return redirect(postPath(slug));
  }
}

/** Deletes a post with its ratings. */
export async function removePost(sent: string): Promise<void> {
  const slug = sentName(sent);
  const user = await requireUser(postPath(slug));
  const outcome = await deletePost(app(), { user, slug, now: currentTime() });
  if (outcome.kind === "forbidden") forbidden();
  redirect("/");
}

async function ratingRequest(sent: string, form: FormData): Promise<RatingRequest> {
  const slug = sentName(sent);
  const user = await requireUser(postPath(slug));
  return {
    slug,
    user,
    address: clientAddress(),
    input: { score: scoreFromForm(sentForm(form).get("score")) },
    now: currentTime(),
  };
}

function ratingAnswer(outcome: RatingOutcome, request: RatingRequest, form: FormData): FormState {
  const { slug, now } = request;
  const values = textValues(form, "score");
  switch (outcome.kind) {
    case "saved":
    case "waiting":
      return redirect(ratedPath("saved", request));
    case "held":
      return redirect(ratedPath("held", request));
    case "limited":
    case "denied":
    case "unavailable":
      return refused(outcome, now, values);
    case "invalid":
      return {
        errors: sentForm(form).has("score") ? outcome.errors : { score: ["Choose a number of stars first."] },
        values,
      };
    case "not-logged-in":
      // The account was deleted or disabled meanwhile.
      return redirect(ratedPath("logged-out", { slug, user: null, now }));
    case "no-such-post":
      // Deleted meanwhile: its page responds with 404.
      return redirect(postPath(slug));
    // The submitted form was out of date; the page shows the current one.
    case "already-rated":
      return redirect(ratedPath("already", request));
    case "not-rated":
      return redirect(ratedPath("gone", request));
  }
}
