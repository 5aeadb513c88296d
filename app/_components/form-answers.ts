import { notFound } from "next/navigation";
import type { Refused } from "@/lib/limits/guard";
import { explainCause, explainDenial, explainRefusal } from "@/lib/refusal";
import type { FormState } from "./form";

/** A refusal as a form shows it, with what was sent so that nothing has to be typed or chosen again. */
export function refused(outcome: Refused, now: number, values: Record<string, string> = {}): FormState {
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

/*
 * What an action is given comes from the network, whatever its types say: a hand-made request may put anything in
 * the place of a form or of an argument.
 */

/** The form that was sent; an empty one when something else was. */
export function sentForm(sent: unknown): FormData {
  return sent instanceof FormData ? sent : new FormData();
}

/** An argument that names something; when it is no text, or a broken one, there is no such thing. */
export function sentName(sent: unknown): string {
  return typeof sent === "string" && sent.isWellFormed() ? sent : notFound();
}

/** The named fields of a form that are text, to be shown again. Name no password. */
export function textValues(form: FormData, ...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = sentForm(form).get(name);
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}

/** The named fields of a form as a schema takes them; one that was not sent is undefined. */
export function formInput(form: FormData, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, sentForm(form).get(name) ?? undefined]));
}
