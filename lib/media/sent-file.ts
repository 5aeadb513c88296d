/** The fields of a sent form with an image. */
import type { Upload } from "./upload.ts";

/** The file and its description, unvalidated. */
export async function sentFile(form: FormData): Promise<Upload["input"]> {
  const file = form.get("file");
  return {
    file: file instanceof File ? new Uint8Array(await file.arrayBuffer()) : undefined,
    alt: form.get("alt") ?? undefined,
  };
}
