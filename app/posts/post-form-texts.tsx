import { translator } from "@/lib/i18n";
import { contentMaximum, titleMaximum } from "@/lib/posts/lengths";
import { editorTexts } from "./_editor/editor-texts";

export type PostFormTexts = ReturnType<typeof postFormTexts>;

/**
 * The texts of the form for a post.
 * The browser replaces `{length}` and `{moment}`.
 */
export function postFormTexts() {
  const t = translator("writing");
  const length = "{length}";
  const moment = "{moment}";
  return {
    title: t("form.title"),
    content: t("form.content"),
    contentHelp: t.rich("form.contentHelp", {
      maximum: contentMaximum,
      code: (text) => (
        // In the direction in which the field will show it.
        <code dir="auto" className="whitespace-nowrap text-ink">
          {text}
        </code>
      ),
    }),
    editor: editorTexts(),
    tooLong: {
      title: t("form.titleTooLong", { length, maximum: titleMaximum }),
      content: t("form.contentTooLong", { length, maximum: contentMaximum }),
    },
    kept: t("form.kept"),
    save: t("save"),
    saving: t("saving"),
    saveDraft: t("saveDraft"),
    saveScheduled: t("saveScheduled"),
    publishNow: t("publishNow"),
    publish: t("publish"),
    publishing: t("publishing"),
    unsaved: {
      restored: t("form.restored", { moment }),
      found: t("form.found", { moment }),
      show: t("form.show"),
      discard: t("form.discard"),
      notStored: t("form.notStored"),
    },
  };
}
