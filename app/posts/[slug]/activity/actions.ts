"use server";

import { notFound, redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { formInput, sentForm, sentName, textValues } from "@/app/_components/form-answers";
import { app } from "@/lib/app";
import { requireUser } from "@/lib/auth";
import { postPath } from "@/lib/paths";
import { decideWindow } from "@/lib/ratings/windows";
import type { FieldErrors } from "@/lib/validation";
import { activityPath, windowAnchor } from "./paths";

/** Counts a flood window's ratings or takes them out, as its post's author or an administrator says. */
export async function decideWindowOf(
  sentSlug: string,
  sentNumber: number,
  _: FormState,
  form: FormData,
): Promise<FormState> {
  const slug = sentName(sentSlug);
  const number = sentWindowNumber(sentNumber);
  const path = activityPath(slug);
  const user = await requireUser(path);
  const input = formInput(form, "status", "why", "after");
  const outcome = await decideWindow(app(), { slug, number, user, input, now: Date.now() });
  switch (outcome.kind) {
    case "decided":
      return redirect(`${path}?decided=${number}&before=${number + 1}#${windowAnchor(number)}`);
    // The page comes again as things are now: this was pressed on one that is out of date.
    case "already-decided":
      return redirect(`${path}?already=${number}&before=${number + 1}#${windowAnchor(number)}`);
    case "invalid":
      return { errors: shownErrors(outcome.errors), values: textValues(sentForm(form), "why") };
    case "forbidden":
      // The page says so, readable without JavaScript.
      return redirect(path);
    case "no-such-post":
      // The post is gone: its page says so.
      return redirect(postPath(slug));
    case "no-such-window":
      return notFound();
  }
}

/** An argument that numbers a window; when it is no such number, there is no such window. */
function sentWindowNumber(sent: unknown): number {
  return typeof sent === "number" && Number.isSafeInteger(sent) && sent > 0 ? sent : notFound();
}

/** What is wrong with a field that nobody sees is wrong with the form. */
function shownErrors({ why, ...unseen }: FieldErrors): FieldErrors {
  return { ...(why && { why }), form: Object.values(unseen).flat() };
}
