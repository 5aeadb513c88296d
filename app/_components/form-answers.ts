import type { PolicyDecision } from "@/lib/guard";
import { explainRefusal } from "@/lib/refusal";
import type { FormState } from "./form";

/** A refusal as a form shows it, with what was sent so that nothing has to be typed or chosen again. */
export function refused(
  refusal: PolicyDecision,
  now: number,
  values: Record<string, string> = {},
): FormState {
  const { retryAfterMs, reason } = refusal.decision;
  return {
    values,
    refusal: { text: explainRefusal(refusal), retryAfterMs: reason.neverFits ? null : retryAfterMs, at: now },
  };
}

/** The named fields of a form that are text, to be shown again. Name no password. */
export function textValues(form: FormData, ...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = form.get(name);
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}

/** The named fields of a form as a schema takes them; one that was not sent is undefined. */
export function formInput(form: FormData, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, form.get(name) ?? undefined]));
}
