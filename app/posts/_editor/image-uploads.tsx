"use client";

import { useEffect, useId, useRef } from "react";
import { FormMessages } from "@/app/_components/form-messages";
import { fill, useTexts } from "@/app/_components/texts";
import { altMaximum } from "@/lib/media/bounds";
import { logInPath } from "@/lib/paths";
import type { EditorTexts } from "./editor-texts";
import type { ImageUpload, ImageUploads as Uploads } from "./use-image-uploads";

interface ImageUploadsProps extends Uploads {
  texts: EditorTexts;
  /** The sentence that the text is not lost. */
  kept: string;
}

/**
 * The chosen images: the description and progress of each.
 * A button puts them into the text.
 */
export function ImageUploads({
  uploads,
  isOverMaximum,
  describe,
  remove,
  start,
  texts,
  kept,
}: ImageUploadsProps) {
  if (uploads.length === 0) return null;
  const isWaiting = uploads.some(
    ({ progress, isQueued, failure }) => progress === null && !isQueued && failure?.kind !== "too-large",
  );
  return (
    <section aria-label={texts.images.title} className="editor-images">
      <ul>
        {uploads.map((upload) => (
          <li key={upload.id}>
            <Chosen
              upload={upload}
              texts={texts}
              kept={kept}
              onDescribe={(alt) => describe(upload.id, alt)}
              onRemove={() => remove(upload.id)}
              onEnter={start}
            />
          </li>
        ))}
      </ul>
      <p role="status" className="text-sm text-wrong">
        {isOverMaximum && texts.images.tooMany}
      </p>
      <button type="button" className="button self-start" aria-disabled={!isWaiting} onClick={start}>
        {texts.images.insert}
      </button>
    </section>
  );
}

interface ChosenProps {
  upload: ImageUpload;
  texts: EditorTexts;
  kept: string;
  onDescribe: (alt: string) => void;
  onRemove: () => void;
  onEnter: () => void;
}

function Chosen({ upload, texts, kept, onDescribe, onRemove, onEnter }: ChosenProps) {
  const { file, alt, progress, isQueued, failure } = upload;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  // A chosen image is described at once.
  useEffect(() => field.current?.focus(), []);
  const isSent = progress !== null || isQueued;
  return (
    <>
      <Thumbnail file={file} />
      <div className="min-w-0 grow">
        <p className="mb-1 flex items-baseline justify-between gap-4 text-sm">
          <bdi className="truncate">{file.name}</bdi>
          <button type="button" className="link-button" aria-describedby={id} onClick={onRemove}>
            {progress === null ? texts.images.remove : texts.images.cancel}
          </button>
        </p>
        <label className="flex flex-col gap-1 text-sm">
          {texts.images.alt}
          <input
            ref={field}
            className="input"
            dir="auto"
            maxLength={altMaximum}
            value={alt}
            readOnly={isSent}
            // Leaving the page needs a confirmation (`public/form.js`).
            data-unsent=""
            onChange={({ target }) => onDescribe(target.value)}
            onKeyDown={(event) => {
              // Not the enclosing form's.
              if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
              event.preventDefault();
              onEnter();
            }}
          />
        </label>
        {progress !== null && <progress value={progress} aria-label={file.name} className="w-full" />}
        <div id={id} role="status" className={`text-sm ${failure ? "text-wrong" : "text-quiet"}`}>
          {progress === 1 && texts.images.preparing}
          <Failure failure={failure} texts={texts} kept={kept} />
        </div>
      </div>
    </>
  );
}

function Failure({
  failure,
  texts,
  kept,
}: Pick<ImageUpload, "failure"> & Pick<ChosenProps, "texts" | "kept">) {
  const { unreachable, serverFailed } = useTexts();
  switch (failure?.kind) {
    case undefined:
      return null;
    case "refused":
      return failure.reason;
    case "too-large":
      return texts.images.tooLarge;
    case "logged-out":
      return <FormMessages state={{ logInPath: logInPath(location.pathname) }} kept={kept} />;
    case "unreachable":
      return fill(unreachable, { kept });
    case "failed":
      return fill(serverFailed, { kept });
  }
}

const thumbnailSize = 96;

/** A small copy of a chosen file, if the browser can show it. */
function Thumbnail({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    createImageBitmap(file, { resizeWidth: thumbnailSize, resizeQuality: "medium" }).then(
      (bitmap) => {
        const { width, height } = bitmap;
        const scale = Math.max(thumbnailSize / width, thumbnailSize / height);
        const [left, top] = [width, height].map((side) => (thumbnailSize - side * scale) / 2);
        canvas.current
          ?.getContext("2d")
          ?.drawImage(bitmap, left ?? 0, top ?? 0, width * scale, height * scale);
      },
      () => {},
    );
  }, [file]);
  return <canvas ref={canvas} width={thumbnailSize} height={thumbnailSize} />;
}
