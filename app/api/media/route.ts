import { imageListSchema, shownImage } from "@/lib/api/media";
import { asUser, failed, json, route, withQuery } from "@/lib/api/route";
import { sentForm } from "@/lib/api/sent-form";
import { app } from "@/lib/app";
import { listImages } from "@/lib/media";
import { sentFile } from "@/lib/media/sent-file";
import { roomOf, uploadImage } from "@/lib/media/upload";
import { currentTime } from "@/lib/time/current-time";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** One page of your images. */
  GET: asUser(
    "read",
    withQuery(imageListSchema, async ({ query, user }) => {
      const { images, nextBefore } = await listImages(app(), { user, ...query });
      return json({
        items: images.map(shownImage),
        nextBefore: nextBefore === null ? null : String(nextBefore),
        room: await roomOf(app(), user),
      });
    }),
  ),
  /** Uploads an image. */
  POST: asUser("write", async ({ request, user, address }) => {
    const form = await sentForm(request, "the fields file and alt");
    if (form instanceof Response) return form;
    const outcome = await uploadImage(app(), {
      user,
      address,
      input: await sentFile(form),
      now: currentTime(),
    });
    return outcome.kind === "uploaded" ? json(shownImage(outcome.image), { status: 201 }) : failed(outcome);
  }),
});
