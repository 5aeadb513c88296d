"use server";

import { forbidden, redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { formInput, loggedOut, refused, sentForm, sentName, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { getUser, loggedOutReader, requireUser } from "@/lib/auth";
import { explainBusy } from "@/lib/limits/refusal";
import { postPath } from "@/lib/paths";
import { deletePost, updatePost } from "@/lib/posts";
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
  if (!request) return loggedOut(postPath(slug), textValues(form, "score"));
  return ratingAnswer(await createRating(app(), request), request, form);
}

/** Changes the reader's rating of a post. */
export async function updateRatingOf(slug: string, _: FormState, form: FormData): Promise<FormState> {
  const request = await ratingRequest(slug, form);
  if (!request) return loggedOut(postPath(slug), textValues(form, "score"));
  return ratingAnswer(await updateRating(app(), request), request, form);
}

/** Withdraws the reader's rating of a post. */
export async function withdrawRatingOf(sent: string): Promise<never> {
  const slug = sentName(sent);
  const user = await requireUser(postPath(slug));
  const now = currentTime();
  const outcome = await withdrawRating(app(), { slug, userId: user.id, now });
  return redirect(
    outcome.kind === "no-such-post" ? postPath(slug) : ratedPath("withdrawn", { slug, reader: user, now }),
  );
}

const copyIt = "Your text is still here: copy it before you leave this page.";

/**
 * Replaces the title and content of the author's own post.
 * In every other case the text stays in the form.
 */
export async function savePost(sent: string, _: FormState, form: FormData): Promise<FormState> {
  const slug = sentName(sent);
  const values = textValues(form, "title", "content");
  const user = await getUser();
  if (!user) return loggedOut(`${postPath(slug)}/edit`, values);
  const input = formInput(form, "title", "content");
  const address = clientAddress();
  const now = currentTime();
  const outcome = await updatePost(app(), { user, slug, address, input, now });
  switch (outcome.kind) {
    case "updated":
      return redirect(postPath(slug));
    case "invalid":
      return { errors: outcome.errors, values };
    case "busy":
      return { errors: { form: [explainBusy("texts")] }, values };
    case "limited":
    case "denied":
    case "unavailable":
      return refused(outcome, now, values);
    case "forbidden":
      return { errors: { form: [`You may no longer change this post. ${copyIt}`] }, values };
    case "no-such-post":
      return { errors: { form: [`This post was deleted meanwhile. ${copyIt}`] }, values };
  }
}

/** Deletes a post with its ratings. */
export async function removePost(sent: string): Promise<never> {
  const slug = sentName(sent);
  const user = await requireUser(postPath(slug));
  const outcome = await deletePost(app(), { user, slug, now: currentTime() });
  if (outcome.kind === "forbidden") forbidden();
  return redirect("/");
}

/** The request to rate; null when the session has ended. */
async function ratingRequest(sent: string, form: FormData): Promise<RatingRequest | null> {
  const slug = sentName(sent);
  const user = await getUser();
  if (!user) return null;
  return {
    slug,
    user,
    address: clientAddress(),
    input: { score: scoreFromForm(sentForm(form).get("score")) },
    now: currentTime(),
  };
}

async function ratingAnswer(
  outcome: RatingOutcome,
  { slug, user, now }: RatingRequest,
  form: FormData,
): Promise<FormState> {
  const values = textValues(form, "score");
  switch (outcome.kind) {
    case "saved":
    case "waiting":
      return redirect(ratedPath("saved", { slug, reader: user, now }));
    case "held":
      return redirect(ratedPath("held", { slug, reader: user, now }));
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
      return redirect(ratedPath("logged-out", { slug, reader: await loggedOutReader(), now }));
    case "no-such-post":
      // Deleted meanwhile: its page responds with 404.
      return redirect(postPath(slug));
    // The submitted form was out of date; the page shows the current one.
    case "already-rated":
      return redirect(ratedPath("already", { slug, reader: user, now }));
    case "not-rated":
      return redirect(ratedPath("gone", { slug, reader: user, now }));
  }
}
