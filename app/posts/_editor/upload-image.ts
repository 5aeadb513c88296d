/** Uploads one image, by a request whose progress can be shown. */

export type UploadAnswer =
  | { kind: "uploaded"; markdown: string }
  /** Refused, with the reason in the reader's language. */
  | { kind: "refused"; reason: string }
  | { kind: "logged-out" | "unreachable" | "failed" | "cancelled" };

interface UploadOptions {
  alt: string;
  signal: AbortSignal;
  /** The part of the file that has been sent, from 0 to 1. */
  onProgress: (part: number) => void;
}

export function uploadImage(file: File, { alt, signal, onProgress }: UploadOptions): Promise<UploadAnswer> {
  return new Promise((resolve) => {
    const form = new FormData();
    form.set("alt", alt);
    form.set("file", file);
    const request = new XMLHttpRequest();
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => resolve(answerOf(request));
    request.onerror = () => resolve({ kind: "unreachable" });
    request.onabort = () => resolve({ kind: "cancelled" });
    signal.addEventListener("abort", () => request.abort());
    request.open("POST", "/account/media/uploads");
    request.send(form);
  });
}

function answerOf({ status, responseText }: XMLHttpRequest): UploadAnswer {
  if (status === 401) return { kind: "logged-out" };
  try {
    const { markdown, detail }: { markdown?: string; detail?: string } = JSON.parse(responseText);
    if (status === 201 && markdown) return { kind: "uploaded", markdown };
    if (status !== 500 && detail) return { kind: "refused", reason: detail };
  } catch {}
  return { kind: "failed" };
}
