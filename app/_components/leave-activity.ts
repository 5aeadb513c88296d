import { notFound, redirect } from "next/navigation";
import { activityPath, postPath } from "@/lib/paths";

/** Ends an action on a post's flood window that the user cannot take. */
export function leaveActivity(kind: "forbidden" | "no-such-post" | "no-such-window", slug: string): never {
  switch (kind) {
    case "forbidden":
      // The page responds with 403, readable without JavaScript, or shows the form that the user may submit.
      return redirect(activityPath(slug));
    case "no-such-post":
      // Deleted meanwhile: its page responds with 404.
      return redirect(postPath(slug));
    case "no-such-window":
      return notFound();
  }
}
