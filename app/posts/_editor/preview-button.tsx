"use client";

import { useFormPending } from "@/app/_components/form";
import type { EditorTexts } from "./editor-texts";

/** Sends the form for a preview, without JavaScript. */
export function PreviewButton({ texts }: { texts: EditorTexts }) {
  const isPending = useFormPending();
  return (
    <button
      type="submit"
      name="preview"
      value="yes"
      className="button editor-without-scripts"
      aria-disabled={isPending}
    >
      {texts.preview}
    </button>
  );
}
