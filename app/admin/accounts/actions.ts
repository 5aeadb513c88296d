"use server";

import type { FormState } from "@/app/_components/form";
import { loggedOut, notAllowed, textValues } from "@/app/_components/form-data";
import { getUser } from "@/lib/auth";
import { changedText, changeOrPreview } from "../change-accounts";

const fields = ["usernames", "registeredFrom", "registeredBefore", "why"];

/** Disables or enables accounts after a preview. */
export async function changeManyAccounts(_: FormState, form: FormData): Promise<FormState> {
  const values = textValues(form, ...fields);
  const actor = await getUser();
  if (!actor) return loggedOut("/admin/accounts", values);
  const usernames = (values.usernames ?? "")
    .split("\n")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const submitted = { ...values, ...textValues(form, "step", "checked") };
  const outcome = await changeOrPreview({ actor, usernames, values: submitted });
  switch (outcome.kind) {
    case "forbidden":
      return notAllowed(values);
    case "invalid":
      return { errors: outcome.errors, values };
    case "preview":
      return { values: { ...values, ...outcome.values } };
    case "changed":
      return { result: changedText(outcome.result, outcome.disabled) };
  }
}
