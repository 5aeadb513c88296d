import { shownOutbox } from "@/lib/api/mails";
import { asAdministrator, json, route } from "@/lib/api/route";
import { app } from "@/lib/app";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The state of the site's emails; for administrators. */
  GET: asAdministrator(async () => {
    const { database, mail } = app();
    return json(shownOutbox(mail, await database.mails.figures()));
  }),
});
