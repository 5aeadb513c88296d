"use server";

import type { FormState } from "@/app/_components/form";
import { loggedOut, notAllowed, textValues } from "@/app/_components/form-data";
import { showNotice } from "@/app/_components/show-notice";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { currentTime } from "@/lib/time/current-time";
import { answerWritingRequest } from "@/lib/users/writers";

/** Accepts or declines a request to write; for administrators. */
export async function answerRequest(_: FormState, form: FormData): Promise<FormState> {
  const actor = await getUser();
  if (!actor) return loggedOut("/admin/people#writers");
  const { answer: sent = "" } = textValues(form, "answer");
  const [, answer, id] = /^(accept|decline) (\d{1,15})$/.exec(sent) ?? [];
  if (answer === undefined) return {};
  const now = currentTime();
  const accept = answer === "accept";
  const outcome = await answerWritingRequest(app(), { actor, id: Number(id), accept, now });
  if (outcome.kind === "forbidden") return notAllowed();
  const notice = outcome.answered ? (accept ? "accepted" : "declined") : "answered";
  const context = { about: "writers", reader: actor, now };
  return showNotice(notice, context, (done) => `/admin/people?writers=${done}#writers`);
}
