import {
  type ApiCall,
  asAdministrator,
  failed,
  failedFor,
  type Handler,
  json,
  noContent,
  route,
} from "@/lib/api/route";
import { sentForm } from "@/lib/api/sent-form";
import { app } from "@/lib/app";
import { imageAddress } from "@/lib/media/address";
import { sentFile } from "@/lib/media/sent-file";
import { siteImages } from "@/lib/site";
import { removeSiteImage, uploadSiteImage } from "@/lib/site/images";
import { type SiteImageName, siteImageNames } from "@/lib/site/schema";
import { currentTime } from "@/lib/time/current-time";

/** Adds the image's name from the path; a 404 for any other. */
function withName<C extends ApiCall>(handler: Handler<C & { name: SiteImageName }>): Handler<C> {
  return (call) => {
    const name = siteImageNames.find((each) => each === call.params.name);
    return name ? handler({ ...call, name }) : failed({ kind: "nothing-there" });
  };
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** Makes an image the site's logo or icon; for administrators. */
  PUT: asAdministrator(
    withName(async ({ request, user, name }) => {
      const form = await sentForm(request, "the field file");
      if (form instanceof Response) return form;
      const { file } = await sentFile(form);
      const outcome = await uploadSiteImage(app(), { actor: user, name, file, now: currentTime() });
      if (outcome.kind !== "saved") return failedFor(user, outcome);
      const image = siteImages()[name];
      return json({ name, address: image ? imageAddress(image) : "" });
    }),
  ),
  /** Returns to the site's usual mark; for administrators. */
  DELETE: asAdministrator(
    withName(async ({ user, name, now }) => {
      const outcome = await removeSiteImage(app(), { actor: user, name, now });
      return outcome.kind === "saved" ? noContent() : failedFor(user, outcome);
    }),
  ),
});
