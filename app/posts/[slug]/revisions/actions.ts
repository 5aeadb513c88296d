"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { donePath } from "@/app/_components/done-notice";
import type { FormState } from "@/app/_components/form";
import { loggedOut, refused, sentId, sentName } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { explainBusy } from "@/lib/limits/refusal";
import { postPath, revisionsPath } from "@/lib/paths";
import { restoreRevision } from "@/lib/posts/revisions";
import { clientAddress } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";

/** Makes an earlier text of the author's post the present one again. */
export async function restore(sentSlug: string, sentRevision: number): Promise<FormState> {
  const slug = sentName(sentSlug);
  const id = sentId(sentRevision);
  const user = await getUser();
  if (!user) return loggedOut(revisionsPath(slug, id));
  const now = currentTime();
  const outcome = await restoreRevision(app(), { slug, user, id, address: clientAddress(), now });
  const t = translator("writing");
  switch (outcome.kind) {
    case "updated":
      refresh();
      return redirect(donePath("restored", { path: postPath(outcome.slug), reader: user, now }));
    case "nothing-there":
      return { errors: { form: [t("revisions.gone")] } };
    case "invalid":
      return { errors: { form: Object.values(outcome.errors).flat() } };
    case "busy":
      return { errors: { form: [explainBusy("texts")] } };
    case "limited":
    case "denied":
    case "unavailable":
      return refused(outcome, now);
    case "no-such-post":
      return { errors: { form: [t("deleted")] } };
    case "forbidden":
    case "already-published": // restoring makes no draft
    case "not-a-writer": // and publishes none
    case "outdated": // and names no version
      return { errors: { form: [t("forbidden")] } };
  }
}
