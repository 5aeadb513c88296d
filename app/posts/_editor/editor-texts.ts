import { translator } from "@/lib/i18n";
import { uploadMaximumBytes, uploadsMaximum } from "@/lib/media/bounds";
import { toolNames } from "./tool-names";

export type EditorTexts = ReturnType<typeof editorTexts>;

/** The texts of the editor; the browser replaces `{words}` and `{left}`. */
export function editorTexts() {
  const t = translator("editor");
  const left = "{left}";
  return {
    toolbar: t("toolbar"),
    tools: toolNames.map((name) => t(`tool.${name}`)),
    shortcut: t("shortcut", { name: "{name}", key: "{key}" }),
    linkText: t("linkText"),
    images: {
      title: t("images.title"),
      alt: t("images.alt"),
      insert: t("images.insert"),
      preparing: t("images.preparing"),
      remove: t("images.remove"),
      cancel: t("images.cancel"),
      leaveOut: t("images.leaveOut"),
      own: t("images.own"),
      tooMany: t("images.tooMany", { maximum: uploadsMaximum }),
      tooLarge: translator("validation")("image.tooLarge", { maximum: uploadMaximumBytes / 1024 / 1024 }),
    },
    view: t("view"),
    write: t("write"),
    preview: t("preview"),
    tags: translator("reading")("tag.list"),
    previewing: t("previewing"),
    nothing: t("nothing"),
    delayed: t("delayed"),
    tooLong: t("tooLong"),
    notFormatted: t("notFormatted"),
    refused: t("refused"),
    unreachable: t("unreachable"),
    count: t("count", { words: "{words}", left }),
    fewLeft: t("fewLeft", { left }),
  };
}
