/**
 * Uploads an image for the editor.
 * As the JSON API, in the reader's language and for sessions only.
 */
import { failed, json } from "@/lib/api/route";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { problemResponse } from "@/lib/http/problem";
import { translator } from "@/lib/i18n";
import { markdownOf } from "@/lib/media/address";
import { sentFile } from "@/lib/media/sent-file";
import { uploadImage } from "@/lib/media/upload";
import { clientAddress } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";

export async function POST(request: Request): Promise<Response> {
  const user = await getUser();
  if (!user) return failed({ kind: "not-logged-in" });
  const form = await request.formData().catch(() => new FormData());
  const input = await sentFile(form);
  const outcome = await uploadImage(app(), { user, address: clientAddress(), input, now: currentTime() });
  if (outcome.kind === "not-a-writer")
    return problemResponse({ status: 403, detail: translator("media")("notAWriter") });
  if (outcome.kind !== "uploaded") return failed(outcome);
  return json({ markdown: markdownOf(outcome.image) }, { status: 201 });
}
