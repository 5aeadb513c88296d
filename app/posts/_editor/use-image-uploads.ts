"use client";

import { useEffect, useState } from "react";
import { uploadMaximumBytes, uploadsMaximum } from "@/lib/media/bounds";
import { type UploadAnswer, uploadImage } from "./upload-image";

/** An image that the writer has chosen for the text. */
export interface ImageUpload {
  id: number;
  file: File;
  alt: string;
  /** The part that has been sent, from 0 to 1, while it is sent. */
  progress: number | null;
  isQueued: boolean;
  failure: Exclude<UploadAnswer, { kind: "uploaded" | "cancelled" }> | { kind: "too-large" } | undefined;
  controller: AbortController;
}

export interface ImageUploads {
  uploads: readonly ImageUpload[];
  /** Whether the last ones were more than fit, and some were left out. */
  isOverMaximum: boolean;
  add: (files: readonly File[]) => void;
  describe: (id: number, alt: string) => void;
  remove: (id: number) => void;
  /** Uploads all that have not been, one after the other. */
  start: () => void;
}

let lastId = 0;

/** Uploads chosen images, and gives their Markdown to `insert`. */
export function useImageUploads(insert: (markdown: string) => void): ImageUploads {
  const [uploads, setUploads] = useState<readonly ImageUpload[]>([]);
  const [isOverMaximum, setOverMaximum] = useState(false);
  const change = (id: number, changed: Partial<ImageUpload>) =>
    setUploads((all) => all.map((each) => (each.id === id ? { ...each, ...changed } : each)));
  const drop = (id: number) => setUploads((all) => all.filter((each) => each.id !== id));

  const next = uploads.some(({ progress }) => progress !== null)
    ? undefined
    : uploads.find(({ isQueued }) => isQueued);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one upload is sent once, when its turn comes
  useEffect(() => {
    if (!next) return;
    const { id, file, alt, controller } = next;
    change(id, { progress: 0, isQueued: false, failure: undefined });
    const onProgress = (progress: number) => change(id, { progress });
    void uploadImage(file, { alt, signal: controller.signal, onProgress }).then((answer) => {
      if (answer.kind === "cancelled") return;
      if (answer.kind !== "uploaded") return change(id, { progress: null, failure: answer });
      drop(id);
      insert(answer.markdown);
    });
  }, [next?.id]);

  return {
    uploads,
    isOverMaximum,
    add(files) {
      setOverMaximum(uploads.length + files.length > uploadsMaximum);
      setUploads((all) => [
        ...all,
        ...files.slice(0, Math.max(0, uploadsMaximum - all.length)).map((file): ImageUpload => {
          lastId += 1;
          const failure = file.size > uploadMaximumBytes ? ({ kind: "too-large" } as const) : undefined;
          const controller = new AbortController();
          return { id: lastId, file, alt: "", progress: null, isQueued: false, failure, controller };
        }),
      ]);
    },
    describe: (id, alt) => change(id, { alt }),
    remove(id) {
      uploads.find((each) => each.id === id)?.controller.abort();
      drop(id);
    },
    start: () =>
      setUploads((all) =>
        all.map((each) =>
          each.progress === null && each.failure?.kind !== "too-large" ? { ...each, isQueued: true } : each,
        ),
      ),
  };
}
