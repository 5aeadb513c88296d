import { asViewer, json, route } from "@/lib/api/route";
import { shownSite } from "@/lib/api/site";
import { app } from "@/lib/app";
import { canSendLinks } from "@/lib/mail/settings";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The public facts of the site. */
  GET: asViewer("read", () => json(shownSite(canSendLinks(app())))),
});
