"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { loggedOut, refused, sentForm, sentId, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { signedNotice } from "@/lib/auth/notice";
import { translator } from "@/lib/i18n";
import { explainBusy, explainFullDisk } from "@/lib/limits/refusal";
import { describeImage, removeImage } from "@/lib/media";
import { sentFile } from "@/lib/media/sent-file";
import { uploadImage } from "@/lib/media/upload";
import { clientAddress } from "@/lib/request/current-request";
import { idFromText } from "@/lib/text/id-from-text";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";
import {
  describedImage,
  type ImageNotice,
  imagesPath,
  imagesPerPage,
  pagePath,
  shownDescriptionField,
} from "./form-names";

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

/**
 * Changes the descriptions of the user's images on one page of the list.
 * Those that are as the page showed them stay: they may have been changed elsewhere meanwhile.
 */
export async function describe(_: FormState, form: FormData): Promise<FormState> {
  const sent = sentForm(form);
  const fields = [...sent].flatMap(([name, alt]) => {
    const id = describedImage(name);
    return id === undefined || alt === sent.get(shownDescriptionField(id)) ? [] : [{ name, id, alt }];
  });
  const values = textValues(form, ...fields.map(({ name }) => name));
  const user = await getUser();
  if (!user) return loggedOut(imagesPath, values);
  const errors: Record<string, string[]> = {};
  let described = 0;
  for (const { name, id, alt } of fields.slice(0, imagesPerPage)) {
    const outcome = await describeImage(app(), { user, id, input: { alt } });
    if (outcome.kind === "invalid") errors[name] = outcome.errors.alt ?? [];
    if (outcome.kind === "described") described += 1;
  }
  if (Object.keys(errors).length > 0) return { errors, values };
  const before = idFromText(sent.get("before"));
  return redirect(described > 0 ? donePath("described", user, before) : pagePath({ before }));
}

/** Removes one of the user's images that no post uses. */
export async function remove(_: FormState, form: FormData): Promise<FormState> {
  const user = await getUser();
  if (!user) return loggedOut(imagesPath);
  const id = sentId(Number(sentForm(form).get("image")));
  const outcome = await removeImage(app(), { user, id });
  const before = idFromText(sentForm(form).get("before"));
  return redirect(
    outcome.kind === "no-such-image" ? pagePath({ before }) : donePath(outcome.kind, user, before),
  );
}

function donePath(notice: ImageNotice, reader: User, before?: number): string {
  const done = signedNotice(notice, { about: "images", reader, now: currentTime() });
  return pagePath({ before, done });
}
