"use server";

import { createHash } from "node:crypto";
import { forbidden } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { loggedOut, textValues } from "@/app/_components/form-data";
import { type AccountChangeResult, changeSelected } from "@/lib/account-changes";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { formatNumber } from "@/lib/limiter/text";
import { currentTime } from "@/lib/time/current-time";

const fields = ["usernames", "registeredFrom", "registeredBefore", "why"];
const namesShown = 20;

/**
 * Disables or enables accounts after a preview.
 * Makes the change only when the form confirms the accounts that the preview showed.
 */
export async function changeManyAccounts(_: FormState, form: FormData): Promise<FormState> {
  const values = textValues(form, ...fields);
  const actor = await getUser();
  if (!actor) return loggedOut("/admin/accounts", values);
  const { step, checked } = textValues(form, "step", "checked");
  const disabled = step === "disable" || step === "check-disable";
  const input = inputFrom(values, disabled);
  const changed = await changeSelected(app(), {
    actor,
    input,
    now: currentTime(),
    // An account that was registered or changed meanwhile has not been seen.
    isConfirmed: (counted) =>
      (step === "disable" || step === "enable") && checked === digestOf(counted, disabled),
  });
  if (changed.kind === "forbidden") return forbidden();
  if (changed.kind === "invalid") return { errors: changed.errors, values };
  return changed.dryRun
    ? { values: { ...values, ...preview(changed, disabled) } }
    : { values: { done: doneText(changed, disabled) } };
}

function inputFrom(values: Record<string, string>, disabled: boolean) {
  const { usernames = "", registeredFrom, registeredBefore, why } = values;
  const names = usernames
    .split("\n")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return {
    disabled,
    why,
    usernames: names.length > 0 ? names : undefined,
    registeredFrom: registeredFrom?.trim() || undefined,
    registeredBefore: registeredBefore?.trim() || undefined,
  };
}

/** Identifies a set of accounts and the change to make to it. */
function digestOf({ usernames }: AccountChangeResult, disabled: boolean): string {
  return createHash("sha256")
    .update(JSON.stringify([disabled, usernames]))
    .digest("hex");
}

function preview(counted: AccountChangeResult, disabled: boolean): Record<string, string> {
  const { usernames } = counted;
  const accounts = amount(usernames.length, "account");
  const kept = keptTexts(counted);
  if (usernames.length === 0) return { summary: [...kept, "No account would change."].join("\n") };
  const shown = usernames.slice(0, namesShown).join(", ");
  const others = usernames.length - namesShown;
  const names = others > 0 ? `${shown} and ${formatNumber(others)} more` : shown;
  const ratings = `${amount(counted.ratings, "rating")} of ${amount(counted.posts, "post")}`;
  const lines = [
    `${accounts} would be ${disabled ? "disabled" : "enabled"}: ${names}.`,
    `${ratings} would ${disabled ? "leave the scores" : "return to the scores"}.`,
    ...kept,
  ];
  return {
    checked: digestOf(counted, disabled),
    step: disabled ? "disable" : "enable",
    summary: lines.join("\n"),
    confirm: `${disabled ? "Disable" : "Enable"} ${accounts}`,
  };
}

function doneText(changed: AccountChangeResult, disabled: boolean): string {
  const { usernames, ratings, posts } = changed;
  const accounts = `${amount(usernames.length, "account")} ${usernames.length === 1 ? "is" : "are"}`;
  const what = `${amount(ratings, "rating")} of ${amount(posts, "post")}`;
  const soon = disabled ? "leave the scores" : "return to the scores";
  const done = `${accounts} ${disabled ? "disabled" : "enabled"}. ${what} ${soon} within the next minutes: the admin page shows the progress.`;
  return [done, ...keptTexts(changed)].join("\n");
}

function keptTexts({ refused }: AccountChangeResult): string[] {
  return refused.map((name) => `${name} stays as it is: you cannot disable your own account.`);
}

function amount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}
