"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { loggedOut, notAllowed } from "@/app/_components/form-data";
import { showNotice } from "@/app/_components/show-notice";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { requestTestMail } from "@/lib/mail/test-mail";
import { currentLocale } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";

/** Sends a test email to the administrator who requests it. */
export async function sendTestMail(_: FormState, __: FormData): Promise<FormState> {
  const actor = await getUser();
  if (!actor) return loggedOut("/admin/settings");
  const now = currentTime();
  const outcome = await requestTestMail(app(), { actor, locale: currentLocale(), now });
  switch (outcome.kind) {
    case "queued": {
      const context = { about: "test mail", reader: actor, now };
      return showNotice("queued", context, (notice) => `/admin/settings?mail=${notice}#mail`);
    }
    case "full":
      return { errors: { form: [translator("siteSettings")("mail.testFull")] } };
    case "no-mail":
      return redirect("/admin/settings#mail");
    case "forbidden":
      return notAllowed();
  }
}
