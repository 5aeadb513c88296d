"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { formInput, jsonField, refused, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { requestSubscription, subscriptionChallenge } from "@/lib/mail/subscriptions";
import { clientAddress, currentLocale } from "@/lib/request/current-request";
import { currentTime } from "@/lib/time/current-time";

/** Mails the link that subscribes an address; the same answer for each. */
export async function subscribe(_: FormState, form: FormData): Promise<FormState> {
  const now = currentTime();
  const input = {
    ...formInput(form, "email"),
    challenge: jsonField(form, "challenge"),
    solution: jsonField(form, "solution"),
  };
  const request = { input, address: clientAddress(), locale: currentLocale(), now };
  const outcome = await requestSubscription(app(), request);
  const values = textValues(form, "email", "challenge");
  const t = translator("emails");
  switch (outcome.kind) {
    case "requested":
      return redirect("/subscribe?sent");
    case "no-mail":
      return { errors: { form: [t("noMail")] }, values };
    case "invalid":
      if (outcome.errors.email) return { errors: outcome.errors, values };
      return withNewChallenge(values, now);
    case "challenge": {
      const { fault } = outcome;
      if (fault.fault !== "too-early") return withNewChallenge(values, now);
      return {
        values,
        refusal: { text: t("subscribe.tooEarly"), retryAfterMs: fault.retryAfterMs, at: now },
      };
    }
    case "limited":
    case "denied":
    case "unavailable":
      return refused(outcome, now, values);
  }
}

async function withNewChallenge(values: Record<string, string>, now: number): Promise<FormState> {
  const challenge = JSON.stringify(await subscriptionChallenge(app(), now));
  return {
    values: { ...values, challenge },
    errors: { form: [translator("emails")("subscribe.expired")] },
  };
}
