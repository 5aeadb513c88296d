"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { loggedOut, notAllowed, sentForm, sentName, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { authorsMaximum, importFormats } from "@/lib/import-uploads/kinds";
import { startImport } from "@/lib/import-uploads/run";
import { currentTime } from "@/lib/time/current-time";

/** Begins a trial or the import of an uploaded archive. */
export async function start(sent: string, _: FormState, form: FormData): Promise<FormState> {
  const id = sentName(sent);
  const path = `/admin/archive/${encodeURIComponent(id)}`;
  const names = [...Array(authorsMaximum).keys()].map((index) => `account-${index}`);
  const values = textValues(form, "format", ...names);
  const actor = await getUser();
  if (!actor) return loggedOut(path, values);
  const format = importFormats.find((each) => each === values.format);
  if (!format) return { values };
  const outcome = await startImport(app(), {
    ...{ actor, id, format, authors: authorsIn(form, values) },
    isTrial: sentForm(form).get("step") !== "import",
    now: currentTime(),
  });
  switch (outcome.kind) {
    case "started":
      // A redirect to the same page would leave it as it was.
      refresh();
      return redirect(path);
    case "running":
      return { values, errors: { form: [translator("archive")("problem.running")] } };
    case "nothing-there":
      return redirect("/admin/archive?problem=gone");
    case "forbidden":
      return notAllowed(values);
  }
}

/** The accounts that were typed, with the authors' names. */
function authorsIn(form: FormData, values: Record<string, string>) {
  return Object.entries(values).flatMap(([field, text]) => {
    const name = sentForm(form).get(field.replace(/^account-/, "name-"));
    const account = text.trim();
    return field.startsWith("account-") && typeof name === "string" && account !== ""
      ? [{ name, account }]
      : [];
  });
}
