"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { chosenPath, chosenStars } from "@/app/_components/chosen-stars";
import { lostSession } from "@/app/_components/confirmation";
import { donePath } from "@/app/_components/done-notice";
import type { FormState } from "@/app/_components/form";
import {
  loggedOut,
  notAllowed,
  refused,
  sentForm,
  sentId,
  sentName,
  sentScore,
  sentTexts,
  textValues,
} from "@/app/_components/form-data";
import { rate, withdraw } from "@/app/_components/rate";
import { ratedPath } from "@/app/_components/rating-notice";
import { app } from "@/lib/app";
import { getUser, loggedOutReader, requireUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { explainBusy } from "@/lib/limits/refusal";
import { postPath } from "@/lib/paths";
import { deletePost, findPost, slugOfPost, updatePost } from "@/lib/posts";
import { scoreFromForm } from "@/lib/ratings/schema";
import { clientAddress } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import { doneWith, postInput, postValues, withCoverError } from "../post-input";
import { isForPreview, previewState } from "../preview-state";
import { type RatingAnswer, ratingTexts } from "./rating-texts";

/** Saves the reader's rating of a post, from its form without JavaScript. */
export async function rateByForm(sent: string, _: FormState, form: FormData): Promise<FormState> {
  const slug = sentName(sent);
  const values = textValues(form, "score");
  const user = await getUser();
  if (!user) return loggedOut(chosenPath(slug, chosenStars(values.score)), values);
  const score = sentForm(form).get("score");
  if (score === null) return { errors: { score: [translator("rating")("chooseFirst")] } };
  const now = currentTime();
  const input = { score: scoreFromForm(score) };
  const rated = await rate({ slug, user, address: clientAddress(), input, now });
  switch (rated.kind) {
    case "rated":
      return redirect(ratedPath(rated.notice, { slug, reader: user, now }));
    case "refused":
      return { ...rated.state, values };
    case "not-logged-in":
      // The account was deleted or disabled meanwhile.
      return redirect(ratedPath("logged-out", { slug, reader: await loggedOutReader(), now }));
    case "no-such-post":
      // Deleted meanwhile: its page responds with 404.
      return redirect(postPath(slug));
  }
}

/**
 * The same by script, without leaving the page, which is refreshed.
 * Withdraws the rating when `rating` is null.
 */
export async function rateInPlace(sent: string, rating: number | null): Promise<RatingAnswer> {
  const slug = sentName(sent);
  const score = sentScore(rating);
  const user = await getUser();
  const back = chosenPath(slug, chosenStars(String(score)));
  if (!user) return { state: loggedOut(back) };
  const now = currentTime();
  const rated =
    score === null
      ? await withdraw(slug, user, now)
      : await rate({ slug, user, address: clientAddress(), input: { score }, now });
  switch (rated.kind) {
    case "rated":
      refresh();
      return ratingTexts(rated.notice, score);
    case "refused":
      return { state: rated.state };
    case "not-logged-in":
      return { state: loggedOut(back) };
    case "no-such-post":
      return { state: { errors: { form: [translator("rating")("postDeleted")] } } };
  }
}

/** Withdraws the reader's rating of a post, from the form without JavaScript. */
export async function withdrawByForm(sent: string): Promise<never> {
  const slug = sentName(sent);
  const user = await requireUser(postPath(slug));
  const now = currentTime();
  const { kind } = await withdraw(slug, user, now);
  return redirect(
    kind === "no-such-post" ? postPath(slug) : ratedPath("withdrawn", { slug, reader: user, now }),
  );
}

/**
 * Replaces the title and content of the author's own post.
 * In every other case the text stays in the form.
 */
export async function savePost(sent: string, _: FormState, form: FormData): Promise<FormState> {
  const sentSlug = sentName(sent);
  const values = postValues(form);
  const { post, version } = sentTexts(form, "post", "version");
  const user = await getUser();
  if (!user) return loggedOut(`${postPath(sentSlug)}/edit`, values);
  // Its address may have been changed in another tab.
  const slug = post ? await slugOfPost(app(), sentId(Number(post)), user) : sentSlug;
  if (slug === null) return { errors: { form: [translator("writing")("deleted")] }, values };
  const path = `${postPath(slug)}/edit`;
  const { publishedAt = null, publishAt = null } = (await findPost(app(), slug, user)) ?? {};
  if (isForPreview(form)) return previewState(form, { values, path, publishedAt });
  const input = postInput(form, publishedAt ?? publishAt);
  const address = clientAddress();
  const now = currentTime();
  const versions = version === undefined ? undefined : [version];
  const outcome = await updatePost(app(), { user, slug, address, input, now, versions });
  switch (outcome.kind) {
    case "updated": {
      const done = publishedAt === null ? doneWith(outcome) : "saved";
      refresh();
      return redirect(donePath(done, { path: postPath(outcome.slug), reader: user, now }));
    }
    case "outdated":
      return {
        errors: { form: [translator("writing")("outdated.text")] },
        lookAt: { path: postPath(slug), text: translator("writing")("outdated.open") },
        // The next submission replaces the version that its author could look at.
        values: { ...values, version: outcome.version },
      };
    case "busy":
      return { errors: { form: [explainBusy("texts")] }, values };
    case "invalid":
    case "limited":
    case "denied":
    case "unavailable":
      return withCoverError(refused(outcome, now, values));
    case "already-published":
      return { errors: { form: [translator("writing")("alreadyPublished")] }, values };
    case "not-a-writer":
      return { errors: { form: [translator("writing")("reader.lost")] }, values };
    case "forbidden":
      return { errors: { form: [translator("writing")("forbidden")] }, values };
    case "no-such-post":
      return { errors: { form: [translator("writing")("deleted")] }, values };
  }
}

/** Deletes a post with its ratings. */
export async function removePost(sent: string): Promise<FormState> {
  const slug = sentName(sent);
  const user = await getUser();
  if (!user) return lostSession(postPath(slug));
  const now = currentTime();
  const outcome = await deletePost(app(), { user, slug, now });
  if (outcome.kind === "forbidden") return notAllowed();
  refresh();
  return redirect(donePath("deleted", { path: "/", reader: user, now }));
}
