"use server";

import { refresh } from "next/cache";
import { forbidden } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { formInput, sentForm, textValues } from "@/app/_components/form-data";
import { app } from "@/lib/app";
import { requireUser } from "@/lib/auth";
import { decideAccount } from "@/lib/users/approvals";
import * as invitations from "@/lib/users/invitations";

/** Approves or rejects an account that waits. */
export async function decidePending(_: FormState, form: FormData): Promise<FormState> {
  const actor = await requireUser("/admin");
  const username = textValues(form, "username").username ?? "";
  const decision = sentForm(form).get("decision");
  if (decision !== "approve" && decision !== "reject") return {};
  const outcome = await decideAccount(app(), {
    actor,
    username,
    approve: decision === "approve",
    now: Date.now(),
  });
  switch (outcome.kind) {
    case "done":
      // A redirect to this page's own address would leave the list as it was.
      refresh();
      return {};
    case "forbidden":
      return forbidden();
    case "not-pending":
      return { errors: { form: ["This account no longer waits: another administrator may have decided."] } };
  }
}

/** Makes an invitation; returns its token in the form's state, never in a URL or redirect. */
export async function makeInvitation(_: FormState, form: FormData): Promise<FormState> {
  const actor = await requireUser("/admin");
  const input = formInput(form, "note", "days");
  const outcome = await invitations.invite(app(), { actor, input, now: Date.now() });
  switch (outcome.kind) {
    case "invited":
      refresh();
      return { made: outcome.token };
    case "forbidden":
      return forbidden();
    case "invalid":
      return { errors: outcome.errors, values: textValues(form, "note", "days") };
  }
}

/** Takes an unused invitation back. */
export async function withdrawInvitation(sent: number): Promise<void> {
  const actor = await requireUser("/admin");
  const id: unknown = sent;
  if (typeof id !== "number" || !Number.isSafeInteger(id)) return;
  const outcome = await invitations.withdrawInvitation(app(), { actor, id });
  if (outcome.kind === "forbidden") forbidden();
  refresh();
}
