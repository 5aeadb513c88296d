import type { FormState } from "@/app/_components/form";
import { formInput, loggedOut, refused, sentForm } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { explainBusy } from "@/lib/limits/refusal";
import { imageAt } from "@/lib/media/address";
import { coverOf } from "@/lib/posts/covers";
import { previewPost } from "@/lib/posts/preview";
import { tagNames } from "@/lib/posts/tag-names";
import { clientAddress, setRequestedPreview } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";

/** Whether the form was sent by its button for a preview. */
export function isForPreview(form: FormData): boolean {
  return sentForm(form).has("preview");
}

interface PreviewedForm {
  values: Record<string, string>;
  path: string;
  /** The date of the post; null for a draft. */
  publishedAt: number | null;
}

/** The form with its post and how that would look; nothing is saved. */
export async function previewState(
  form: FormData,
  { values, path, publishedAt }: PreviewedForm,
): Promise<FormState> {
  const user = await getUser();
  if (!user) return loggedOut(path, values);
  const now = currentTime();
  const outcome = await previewPost(app(), {
    user,
    address: clientAddress(),
    input: formInput(form, "content"),
    now,
  });
  switch (outcome.kind) {
    case "previewed": {
      const chosen = await coverOf(app().database, user.id, imageAt(values.cover ?? ""));
      setRequestedPreview({
        title: values.title ?? "",
        author: user.username,
        publishedAt,
        tags: values.visibility === "unlisted" ? [] : tagNames(values.tags ?? ""),
        cover: chosen.kind === "cover" ? (chosen.cover ?? null) : null,
        content: outcome.content,
        html: outcome.html,
        lang: values.lang || outcome.detectedLang,
      });
      return { values };
    }
    case "busy":
      return { errors: { form: [explainBusy("texts")] }, values };
    case "not-a-writer":
      return { errors: { form: [translator("writing")("reader.lost")] }, values };
    default:
      return refused(outcome, now, values);
  }
}
