"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { formInput, loggedOut, notAllowed, sentName, textValues } from "@/app/_components/form-data";
import { showNotice } from "@/app/_components/show-notice";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { featuredMaximum, findPost } from "@/lib/posts";
import { decideOnPost } from "@/lib/posts/administration";
import { currentTime } from "@/lib/time/current-time";
import { postAdminPath } from "../posts-query";

/** An administrator's decision to unpublish, publish again or feature a post. */
export async function decide(sent: string, _: FormState, form: FormData): Promise<FormState> {
  const slug = sentName(sent);
  const values = textValues(form, "why");
  const actor = await getUser();
  if (!actor) return loggedOut(postAdminPath(slug), values);
  const t = translator("admin");
  const now = currentTime();
  const input = formInput(form, "decision", "why");
  const outcome = await decideOnPost(app(), { actor, slug, input, now });
  switch (outcome.kind) {
    case "done": {
      const post = await findPost(app(), slug, actor);
      if (!post) return redirect("/admin/posts");
      const context = { about: `post ${post.id}`, reader: actor, now };
      return showNotice(String(input.decision), context, (done) => `${postAdminPath(slug)}?done=${done}`);
    }
    case "invalid": {
      const { why, decision } = outcome.errors;
      return {
        errors: { ...(why && { why }), ...(decision && { form: [t("posts.unknownDecision")] }) },
        values,
      };
    }
    case "not-applicable":
      return { errors: { form: [t("posts.notApplicable")] }, values };
    case "too-many-featured":
      return { errors: { form: [t("posts.tooManyFeatured", { maximum: featuredMaximum })] }, values };
    case "forbidden":
      return notAllowed(values);
    case "no-such-post":
      return redirect("/admin/posts");
  }
}
