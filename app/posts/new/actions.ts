"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { donePath } from "@/app/_components/done-notice";
import type { FormState } from "@/app/_components/form";
import { formInput, loggedOut, refused, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { explainBusy } from "@/lib/limits/refusal";
import { postPath } from "@/lib/paths";
import { createPost } from "@/lib/posts";
import { clientAddress } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import { requestToWrite } from "@/lib/users/writers";

/** Publishes a new post; in every other case its text stays in the form. */
export async function publishPost(_: FormState, form: FormData): Promise<FormState> {
  const values = textValues(form, "title", "content", "lang");
  const user = await getUser();
  if (!user) return loggedOut("/posts/new", values);
  const address = clientAddress();
  const now = currentTime();
  const input = formInput(form, "title", "content", "lang");
  const outcome = await createPost(app(), { user, address, input, now });
  switch (outcome.kind) {
    case "created":
      return redirect(donePath("published", { path: postPath(outcome.slug), reader: user, now }));
    case "invalid":
      return { errors: outcome.errors, values };
    case "busy":
      return { errors: { form: [explainBusy("texts")] }, values };
    case "not-logged-in":
      return loggedOut("/posts/new", values);
    case "not-a-writer":
      return { errors: { form: [translator("writing")("reader.lost")] }, values };
    case "limited":
    case "denied":
    case "unavailable":
      return refused(outcome, now, values);
  }
}

/** Requests the right to write, where an administrator grants it. */
export async function askToWrite(): Promise<FormState> {
  const user = await getUser();
  if (!user) return loggedOut("/posts/new");
  await requestToWrite(app(), { user, now: currentTime() });
  refresh();
  return redirect("/posts/new");
}
