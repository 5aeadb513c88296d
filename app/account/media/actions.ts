"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { formInput, loggedOut, refused, sentForm, sentId, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { signedNotice } from "@/lib/auth/notice";
import { translator } from "@/lib/i18n";
import { explainBusy, explainFullDisk } from "@/lib/limits/refusal";
import { describeImage, removeImage } from "@/lib/media";
import { sentFile } from "@/lib/media/sent-file";
import { uploadImage } from "@/lib/media/upload";
import { clientAddress } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";
import { type ImageNotice, imagesPath } from "./notices";

/** Uploads an image; the page then shows it first. */
export async function upload(_: FormState, form: FormData): Promise<FormState> {
  const values = textValues(form, "alt");
  const user = await getUser();
  if (!user) return loggedOut(imagesPath, values);
  const now = currentTime();
  const input = await sentFile(sentForm(form));
  const outcome = await uploadImage(app(), { user, address: clientAddress(), input, now });
  switch (outcome.kind) {
    case "uploaded":
      return redirect(donePath("uploaded", user));
    case "images-busy":
      return { errors: { form: [explainBusy("images")] }, values };
    case "disk-full":
      return { errors: { form: [explainFullDisk()] }, values };
    case "not-logged-in":
      return loggedOut(imagesPath, values);
    case "not-a-writer":
      return { errors: { form: [translator("media")("notAWriter")] }, values };
    default:
      return refused(outcome, now, values);
  }
}

/** Changes the description of one of the user's images. */
export async function describe(sent: number, _: FormState, form: FormData): Promise<FormState> {
  const values = textValues(form, "alt");
  const user = await getUser();
  if (!user) return loggedOut(imagesPath, values);
  const outcome = await describeImage(app(), { user, id: sentId(sent), input: formInput(form, "alt") });
  if (outcome.kind === "invalid") return { errors: outcome.errors, values };
  return redirect(outcome.kind === "described" ? donePath("described", user) : imagesPath);
}

/** Removes one of the user's images that no post uses. */
export async function remove(sent: number): Promise<FormState> {
  const user = await getUser();
  if (!user) return loggedOut(imagesPath);
  const outcome = await removeImage(app(), { user, id: sentId(sent) });
  if (outcome.kind === "no-such-image") return redirect(imagesPath);
  return redirect(donePath(outcome.kind, user));
}

function donePath(notice: ImageNotice, reader: User): string {
  return `${imagesPath}?done=${signedNotice(notice, { about: "images", reader, now: currentTime() })}`;
}
