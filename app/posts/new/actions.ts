"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { formInput, refused, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { requireUser } from "@/lib/auth";
import { postPath } from "@/lib/paths";
import { createPost } from "@/lib/posts";
import { busyMessage } from "@/lib/posts/text";
import { clientAddress } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";

export async function publishPost(_: FormState, form: FormData): Promise<FormState> {
  const user = await requireUser("/posts/new");
  const address = clientAddress();
  const now = currentTime();
  const input = formInput(form, "title", "content");
  const outcome = await createPost(app(), { user, address, input, now });
  const values = textValues(form, "title", "content");
  switch (outcome.kind) {
    case "created":
      return redirect(postPath(outcome.slug));
    case "invalid":
      return { errors: outcome.errors, values };
    case "busy":
      return { errors: { form: [busyMessage] }, values };
    case "not-logged-in":
      return redirect("/login?next=/posts/new");
    case "limited":
    case "denied":
    case "unavailable":
      return refused(outcome, now, values);
  }
}
