import { notFound } from "next/navigation";
import { translator } from "@/lib/i18n";
import { explainBusy, explainCause, explainDenial, explainRefusal } from "@/lib/limits/refusal";
import type { Refused } from "@/lib/limits/types";
import { logInPath } from "@/lib/paths";
import { contentMaximum } from "@/lib/posts/lengths";
import { keepUnsavedForm } from "@/lib/request/current-request";
import type { PasswordsBusy } from "@/lib/users/password";
import { type FieldErrors, type Invalid, jsonFrom } from "@/lib/validation";
import type { FormState } from "./form";

/** The form state for a refusal or bad input; keeps the submitted values. */
export function refused(
  outcome: Refused | PasswordsBusy | Invalid,
  now: number,
  values: Record<string, string> = {},
): FormState {
  if (outcome.kind === "invalid") return { values, errors: outcome.errors };
  if (outcome.kind === "passwords-busy")
    return { values, errors: { form: [explainBusy("passwords")] }, keepsPasswords: true };
  if (outcome.kind !== "limited") return { values, errors: { form: [explainDenial(outcome)] } };
  const { refusal } = outcome;
  const { retryAfterMs, reason } = refusal.decision;
  return {
    values,
    refusal: reason.neverFits
      ? { text: explainRefusal(refusal), retryAfterMs: null, at: now }
      : { text: explainCause(refusal), retryAfterMs, at: now },
  };
}

/**
 * The form state for a session that has ended.
 * The page stays, with a link to log in and return to `path`.
 */
export function loggedOut(path: string, values: Record<string, string> = {}): FormState {
  keepUnsavedForm({ cause: "session-ended", texts: values });
  return { values, logInPath: logInPath(path) };
}

/**
 * The form state for a user who may not do this, or no longer.
 * The page stays, with the typed text.
 */
export function notAllowed(values: Record<string, string> = {}): FormState {
  keepUnsavedForm({ cause: "forbidden", texts: values });
  return { values, errors: { form: [translator("errors")("notAllowed")] } };
}

/* An action's arguments come from the network: a crafted request may contain any value, against the types. */

/** The submitted form; an empty one for any other value. */
export function sentForm(sent: unknown): FormData {
  return sent instanceof FormData ? sent : new FormData();
}

/**
 * The errors of a form whose only visible field is the reason.
 * Those of hidden fields become the form's.
 */
export function reasonErrors({ why, ...hidden }: FieldErrors): FieldErrors {
  return { ...(why && { why }), form: Object.values(hidden).flat() };
}

/** A string argument; responds with 404 to any other value or malformed text. */
export function sentName(sent: unknown): string {
  return typeof sent === "string" && sent.isWellFormed() ? sent : notFound();
}

/** A rating's number, in any range, or null; responds with 404 to any other value. */
export function sentScore(sent: unknown): number | null {
  return sent === null || typeof sent === "number" ? sent : notFound();
}

/** The number of something that is kept; responds with 404 to any other value. */
export function sentId(sent: unknown): number {
  return typeof sent === "number" && Number.isSafeInteger(sent) && sent > 0 ? sent : notFound();
}

/**
 * Whether the pressed button of a post's form saves a draft.
 * Undefined for a button that only saves.
 */
export function sentDraft(form: FormData): boolean | undefined {
  const draft = sentForm(form).get("draft");
  return draft === "true" ? true : draft === "false" || draft === "now" ? false : undefined;
}

/** Fields whose text may be as long as two posts; see `textValues`. */
const longFields: readonly string[] = ["content", "usernames", "checked"];
const longMaximum = 2 * contentMaximum;
const otherMaximum = 10_000;

/**
 * The named text fields, to be shown again. Never name a password.
 * Leaves out texts far over any field's bound: a page that shows a text has it several times, escaped.
 */
export function textValues(form: FormData, ...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = sentForm(form).get(name);
      const maximum = longFields.includes(name) ? longMaximum : otherMaximum;
      return typeof value === "string" && value.length <= maximum ? [[name, value]] : [];
    }),
  );
}

/** The named text fields as they were sent, to be checked. */
export function sentTexts<Name extends string>(
  form: FormData,
  ...names: Name[]
): { [Each in Name]?: string } {
  const texts: { [Each in Name]?: string } = {};
  for (const name of names) {
    const value = sentForm(form).get(name);
    if (typeof value === "string") texts[name] = value;
  }
  return texts;
}

/** The named fields as input of a schema; missing ones are undefined. */
export function formInput(form: FormData, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, sentForm(form).get(name) ?? undefined]));
}

/** The JSON in a field; undefined when it is empty or no JSON. */
export function jsonField(form: FormData, name: string): unknown {
  const text = sentForm(form).get(name);
  return typeof text === "string" ? jsonFrom(text) : undefined;
}
