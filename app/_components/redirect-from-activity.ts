import { notFound, redirect } from "next/navigation";
import { postPath } from "@/lib/paths";
import type { FormState } from "./form";
import { notAllowed } from "./form-data";

/** Ends an action on a post's flood window that the user cannot take. */
export function redirectFromActivity(
  kind: "forbidden" | "no-such-post" | "no-such-window",
  slug: string,
  values: Record<string, string>,
): FormState {
  switch (kind) {
    case "forbidden":
      return notAllowed(values);
    case "no-such-post":
      // Deleted meanwhile: its page responds with 404.
      return redirect(postPath(slug));
    case "no-such-window":
      return notFound();
  }
}
