"use server";

import { redirect } from "next/navigation";
import { sentName } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { unsubscribe } from "@/lib/mail/unsubscribe";

/** Turns the mails of a link off. */
export async function stop(token: string): Promise<never> {
  await unsubscribe(app(), sentName(token));
  return redirect("/unsubscribe?done");
}
