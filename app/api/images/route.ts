import { allImagesSchema, shownOwnedImage } from "@/lib/api/media";
import { asAdministrator, failedFor, json, route, withQuery } from "@/lib/api/route";
import { app } from "@/lib/app";
import { imagesForAdministrators } from "@/lib/media/administration";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** One page of all users' images; for administrators. */
  GET: asAdministrator(
    withQuery(allImagesSchema, async ({ query, user }) => {
      const outcome = await imagesForAdministrators(app(), user, query);
      if (outcome.kind !== "images") return failedFor(user, outcome);
      const { images, nextBefore } = outcome;
      return json({
        items: images.map(shownOwnedImage),
        nextBefore: nextBefore === null ? null : String(nextBefore),
      });
    }),
  ),
});
