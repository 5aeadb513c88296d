"use client";

import { type RefObject, use, useEffect, useId, useRef, useState, useSyncExternalStore } from "react";
import { FormContext } from "@/app/_components/form";
import { FieldErrors, savedValue } from "@/app/_components/form-fields";
import { TextArea } from "@/app/_components/text-area";
import { uploadTypes } from "@/lib/media/bounds";
import { applyTool, insertImage, listenToImages, listenToKeys } from "./edit-field";
import "./editor.css";
import type { EditorTexts } from "./editor-texts";
import { ImageUploads } from "./image-uploads";
import { PreviewPane } from "./preview-pane";
import { TextCount } from "./text-count";
import { Toolbar } from "./toolbar";
import { useImageUploads } from "./use-image-uploads";
import { useTypedText } from "./use-typed-text";

interface ContentFieldProps {
  label: string;
  help: React.ReactNode;
  defaultValue: string;
  /** The post's author and date, for the preview. */
  byline: React.ReactNode;
  texts: EditorTexts;
  /** The sentence that the text is not lost. */
  kept: string;
  /** Is set to a function that gets a confirmation before chosen images are left out. */
  confirmSending: RefObject<() => boolean>;
}

/**
 * The field for a post's text, with toolbar, shortcuts, preview and counts.
 * Without JavaScript it is a text area.
 */
export function ContentField({
  label,
  help,
  defaultValue,
  byline,
  texts,
  kept,
  confirmSending,
}: ContentFieldProps) {
  const { state, pending } = use(FormContext);
  const id = useId();
  const panes = useRef<HTMLDivElement>(null);
  const preview = useRef<HTMLElement>(null);
  const typed = useTypedText(panes, defaultValue);
  const { content } = typed;
  const isWide = useSyncExternalStore(onWidthChange, isWindowWide, () => false);
  const [isPreviewChosen, choosePreview] = useState<boolean | null>(null);
  const isPreviewShown = isPreviewChosen ?? isWide;
  const errors = state.errors?.content ?? [];
  const view = isPreviewChosen === null ? "auto" : isPreviewChosen ? "preview" : "write";

  const field = () => panes.current?.querySelector("textarea");
  const files = useRef<HTMLInputElement>(null);
  const images = useImageUploads((markdown) => {
    const into = field();
    if (into) insertImage(into, markdown);
  });
  const { add, uploads } = images;

  useEffect(() => {
    confirmSending.current = () => uploads.length === 0 || confirm(texts.images.leaveOut);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the field is always the same
  useEffect(() => {
    const into = field();
    return into ? listenToKeys(into, texts) : undefined;
  }, [texts]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the field is always the same
  useEffect(() => {
    const into = field();
    return into ? listenToImages(into, add) : undefined;
  }, [add]);

  return (
    <div className="editor" data-view={view} data-wrong={errors.length > 0 || undefined}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <label htmlFor={id} className="text-[0.9375rem] font-medium">
          {label}
        </label>
        {/* biome-ignore lint/a11y/useSemanticElements: two buttons are not a fieldset */}
        <div role="group" aria-label={texts.view} className="editor-view">
          <button type="button" aria-pressed={!isPreviewShown} onClick={() => choosePreview(false)}>
            {texts.write}
          </button>
          <button type="button" aria-pressed={isPreviewShown} onClick={() => choosePreview(true)}>
            {texts.preview}
          </button>
        </div>
      </div>
      <Toolbar
        texts={texts}
        controls={id}
        onTool={(tool) => {
          const into = field();
          if (tool === "image") files.current?.click();
          else if (into) applyTool(into, tool, texts);
        }}
      />
      <input
        ref={files}
        type="file"
        multiple
        hidden
        accept={uploadTypes}
        onChange={({ target }) => {
          add([...(target.files ?? [])]);
          // So that the same file can be chosen again.
          target.value = "";
        }}
      />
      <div ref={panes} className="editor-panes">
        <TextArea
          id={id}
          name="content"
          rows={18}
          className="input"
          dir="auto"
          required
          readOnly={pending}
          defaultValue={state.values?.content ?? defaultValue}
          data-saved={savedValue(state, "content", defaultValue)}
          aria-invalid={errors.length > 0}
          aria-describedby={`${errors.length > 0 ? `${id}-error ` : ""}${id}-count ${id}-help`}
          autoFocus={errors.length > 0}
          onScroll={({ currentTarget }) => {
            if (preview.current) scrollAlike(currentTarget, preview.current);
          }}
        />
        <PreviewPane
          ref={preview}
          typed={typed}
          byline={byline}
          isShown={isPreviewShown}
          texts={texts}
          kept={kept}
        />
      </div>
      <ImageUploads {...images} texts={texts} kept={kept} />
      <FieldErrors id={id} errors={errors} />
      <TextCount id={`${id}-count`} content={content} texts={texts} />
      <p id={`${id}-help`} className="text-sm text-quiet">
        {help}{" "}
        <a href="/account/media" target="_blank" rel="noopener">
          {texts.images.own}
        </a>
      </p>
    </div>
  );
}

/** Room for the preview beside the text, as in `editor.css`. */
const wide = "(width >= 72rem)";

function isWindowWide(): boolean {
  return matchMedia(wide).matches;
}

function onWidthChange(onChange: () => void): () => void {
  const query = matchMedia(wide);
  query.addEventListener("change", onChange);
  return () => query.removeEventListener("change", onChange);
}

/** Scrolls an element about as far as another one is. */
function scrollAlike(one: HTMLElement, other: HTMLElement): void {
  const room = one.scrollHeight - one.clientHeight;
  if (room > 0) other.scrollTop = (one.scrollTop / room) * (other.scrollHeight - other.clientHeight);
}
