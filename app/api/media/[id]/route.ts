import { shownImage } from "@/lib/api/media";
import { asUser, failed, json, noContent, route, withId, withInput } from "@/lib/api/route";
import { app } from "@/lib/app";
import { describeImage, removeImage } from "@/lib/media";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Changes the description of one of your images. */
  PATCH: asUser(
    "write",
    withInput(
      4096,
      withId(async ({ id, user, input }) => {
        const outcome = await describeImage(app(), { user, id, input });
        return outcome.kind === "described" ? json(shownImage(outcome.image)) : failed(outcome);
      }),
    ),
  ),
  /** Removes one of your images that no post uses. */
  DELETE: asUser(
    "write",
    withId(async ({ id, user }) => {
      const outcome = await removeImage(app(), { user, id });
      return outcome.kind === "removed" ? noContent() : failed(outcome);
    }),
  ),
});
