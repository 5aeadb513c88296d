"use server";

import type { FormState } from "@/app/_components/form";
import { loggedOut, notAllowed, sentForm, textValues } from "@/app/_components/form-data";
import { showNotice } from "@/app/_components/show-notice";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { explainBusy, explainFullDisk } from "@/lib/limits/refusal";
import { sentFile } from "@/lib/media/sent-file";
import { removeSiteImage, uploadSiteImage } from "@/lib/site/images";
import { type SiteImageName, siteImageNames } from "@/lib/site/schema";
import { currentTime } from "@/lib/time/current-time";

/** Replaces or removes one of the site's own images; for administrators. */
export async function changeImage(sent: SiteImageName, _: FormState, form: FormData): Promise<FormState> {
  const actor = await getUser();
  if (!actor) return loggedOut("/admin/settings");
  const name = siteImageNames.find((each) => each === sent);
  if (!name) return {};
  const now = currentTime();
  const isRemoved = textValues(form, "step").step === "remove";
  const { file } = await sentFile(sentForm(form));
  const change = { actor, name, now };
  const outcome = isRemoved
    ? await removeSiteImage(app(), change)
    : await uploadSiteImage(app(), { ...change, file });
  switch (outcome.kind) {
    case "saved": {
      const context = { about: "site images", reader: actor, now };
      const done = isRemoved ? "removed" : "saved";
      return showNotice(done, context, (notice) => `/admin/settings?image=${notice}#images`);
    }
    case "invalid":
      return { errors: outcome.errors };
    case "images-busy":
      return { errors: { form: [explainBusy("images")] } };
    case "disk-full":
      return { errors: { form: [explainFullDisk()] } };
    case "forbidden":
      return notAllowed();
  }
}
