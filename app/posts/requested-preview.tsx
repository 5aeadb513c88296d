import { Cover } from "@/app/_components/cover";
import { translator } from "@/lib/i18n";
import { textDirection } from "@/lib/i18n/text-direction";
import { requestedPreview } from "@/lib/request/current-request";
import { Byline } from "./byline";
import { PostHeading } from "./post-heading";
import { PostText } from "./post-text";

/** The preview that the form was sent for, without JavaScript. */
export function RequestedPreview() {
  const preview = requestedPreview();
  if (!preview) return null;
  const direction = textDirection(preview.content, preview.lang);
  const t = translator("editor");
  return (
    <section aria-labelledby="preview-title" className="mt-8 border-y border-hairline py-6">
      <h2 id="preview-title" className="section-title">
        {t("preview")}
      </h2>
      <p className="mb-6 text-sm text-quiet">{t("notSaved")}</p>
      <article>
        <PostHeading
          as="h2"
          title={preview.title}
          lang={preview.lang}
          direction={direction}
          byline={<Byline {...preview} />}
          tags={{ label: translator("reading")("tag.list"), tags: preview.tags.map((name) => ({ name })) }}
        />
        <Cover cover={preview.cover?.address ?? null} coverAlt={preview.cover?.alt ?? null} />
        <PostText {...preview} direction={direction} />
      </article>
    </section>
  );
}
