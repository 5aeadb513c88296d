"use server";

import { createHash } from "node:crypto";
import { forbidden } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { requireUser } from "@/lib/auth";
import { type Changed, changeSelected } from "@/lib/disabling";
import { formatNumber } from "@/lib/limiter/text";

const fields = ["usernames", "registeredFrom", "registeredBefore", "why"];
const namesShown = 20;

/** Counts what disabling or enabling accounts would change, and once that has been seen, does it. */
export async function changeManyAccounts(_: FormState, form: FormData): Promise<FormState> {
  const actor = await requireUser("/admin/accounts");
  const values = textValues(form, ...fields);
  const { step, checked } = textValues(form, "step", "checked");
  const disabled = step === "disable" || step === "check-disable";
  const input = inputFrom(values, disabled);
  const now = Date.now();
  const counted = await changeSelected(app(), { actor, input: { ...input, dryRun: true }, now });
  if (counted.kind === "forbidden") return forbidden();
  if (counted.kind === "invalid") return { errors: counted.errors, values };
  const digest = digestOf(counted, disabled);
  const isConfirmed = step === "disable" || step === "enable";
  // An account that was registered or changed meanwhile has not been seen.
  if (!isConfirmed || checked !== digest)
    return { values: { ...values, ...preview(counted, disabled, digest) } };
  const changed = await changeSelected(app(), { actor, input, now });
  if (changed.kind === "forbidden") return forbidden();
  if (changed.kind === "invalid") return { errors: changed.errors, values };
  return { values: { done: doneText(changed, disabled) } };
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

/** What tells one set of accounts from another. */
function digestOf({ usernames }: Changed, disabled: boolean): string {
  return createHash("sha256")
    .update(JSON.stringify([disabled, usernames]))
    .digest("hex");
}

function preview(counted: Changed, disabled: boolean, checked: string): Record<string, string> {
  const { usernames, refused } = counted;
  const accounts = amount(usernames.length, "account");
  const kept = refused.map((name) => `${name} stays as it is: you cannot disable your own account.`);
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
    checked,
    step: disabled ? "disable" : "enable",
    summary: lines.join("\n"),
    confirm: `${disabled ? "Disable" : "Enable"} ${accounts}`,
  };
}

function doneText({ usernames, ratings, posts }: Changed, disabled: boolean): string {
  const accounts = `${amount(usernames.length, "account")} ${usernames.length === 1 ? "is" : "are"}`;
  const what = `${amount(ratings, "rating")} of ${amount(posts, "post")}`;
  const soon = disabled ? "leave the scores" : "return to the scores";
  return `${accounts} ${disabled ? "disabled" : "enabled"}. ${what} ${soon} within the next minutes: the admin page shows how far this is.`;
}

function amount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}
