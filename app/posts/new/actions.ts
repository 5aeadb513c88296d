"use server";

import { randomUUID } from "node:crypto";
import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { donePath } from "@/app/_components/done-notice";
import type { FormState } from "@/app/_components/form";
import { loggedOut, refused, sentTexts } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { explainBusy } from "@/lib/limits/refusal";
import { postPath } from "@/lib/paths";
import { createPost } from "@/lib/posts";
import { draftsMaximum } from "@/lib/posts/lengths";
import { clientAddress } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import * as writers from "@/lib/users/writers";
import { doneWith, postInput, postValues, withCoverError } from "../post-input";
import { isForPreview, previewState } from "../preview-state";

/**
 * Publishes a new post, or saves it as a draft.
 * In every other case its text stays in the form.
 */
export async function saveNewPost(_: FormState, form: FormData): Promise<FormState> {
  const values = postValues(form);
  if (isForPreview(form)) return previewState(form, { values, path: "/posts/new", publishedAt: null });
  const user = await getUser();
  if (!user) return loggedOut("/posts/new", values);
  const address = clientAddress();
  const now = currentTime();
  const input = postInput(form);
  const { idempotencyKey } = sentTexts(form, "idempotencyKey");
  const outcome = await createPost(app(), { user, address, input, now, idempotencyKey });
  switch (outcome.kind) {
    case "created":
      refresh();
      return redirect(donePath(doneWith(outcome), { path: postPath(outcome.slug), reader: user, now }));
    case "created-before":
      return {
        errors: { form: [translator("writing")("createdBefore.text")] },
        lookAt: {
          path: `${postPath(outcome.slug)}/edit`,
          text: translator("writing")("createdBefore.open"),
        },
        // A new key: sending the form again creates another post.
        values: { ...values, idempotencyKey: randomUUID() },
      };
    case "busy":
      return { errors: { form: [explainBusy("texts")] }, values };
    case "not-logged-in":
      return loggedOut("/posts/new", values);
    case "too-many-drafts":
      return {
        errors: { form: [translator("writing")("tooManyDrafts", { maximum: draftsMaximum })] },
        values,
      };
    case "not-a-writer":
      return { errors: { form: [translator("writing")("reader.lost")] }, values };
    default:
      return withCoverError(refused(outcome, now, values));
  }
}

/** Requests the right to write, where an administrator grants it. */
export async function requestToWrite(): Promise<FormState> {
  const user = await getUser();
  if (!user) return loggedOut("/posts/new");
  await writers.requestToWrite(app(), { user, now: currentTime() });
  refresh();
  return redirect("/posts/new");
}
