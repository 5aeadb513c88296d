import { asUser, failed, json, route, withInput } from "@/lib/api/route";
import { app } from "@/lib/app";
import { bodyMaximumBytes } from "@/lib/http/json-body";
import { previewPost } from "@/lib/posts/preview";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Renders a text, and saves nothing. */
  POST: asUser(
    "write",
    withInput(bodyMaximumBytes, async ({ user, input, address, now }) => {
      const outcome = await previewPost(app(), { user, address, input, now });
      if (outcome.kind !== "previewed") return failed(outcome);
      const { html, detectedLang } = outcome;
      return json({ html, detectedLang });
    }),
  ),
});
