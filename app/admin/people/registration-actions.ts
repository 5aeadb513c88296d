"use server";

import { refresh } from "next/cache";
import type { FormState } from "@/app/_components/form";
import { formInput, loggedOut, notAllowed, sentForm, sentId, textValues } from "@/app/_components/form-data";
import { showNotice } from "@/app/_components/show-notice";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { currentTime } from "@/lib/time/current-time";
import { decideAccounts, decisionMaximum } from "@/lib/users/approvals";
import * as invitations from "@/lib/users/invitations";
import { type PendingQuery, pendingPath, pendingQueryFrom } from "./pending-query";

const listPath = "/admin/people#new-accounts";

/**
 * Approves or rejects one waiting account, or the selected ones.
 * Returns to the same page of the list.
 */
export async function decidePending(sent: PendingQuery, _: FormState, form: FormData): Promise<FormState> {
  const actor = await getUser();
  if (!actor) return loggedOut(listPath);
  const fields = sentForm(form);
  const [, decision, one] = /^(approve|reject)(?: (\d{1,15}))?$/.exec(String(fields.get("decision"))) ?? [];
  if (decision === undefined) return {};
  const ids = (one === undefined ? fields.getAll("account").slice(0, decisionMaximum) : [one])
    .map(Number)
    .filter(Number.isSafeInteger);
  const approve = decision === "approve";
  const now = currentTime();
  const outcome = await decideAccounts(app(), { actor, ids, approve, now });
  if (outcome.kind === "forbidden") return notAllowed();
  const { search, network, page } = sentQuery(sent);
  const notice = `${approve ? "approved" : "rejected"}-${outcome.decided}-${outcome.others}`;
  const context = { about: "approvals", reader: actor, now };
  return showNotice(notice, context, (done) => pendingPath({ search, network, page }, { done }));
}

/** The query bound to the form, which comes from the network like the rest of it. */
function sentQuery(sent: unknown): PendingQuery {
  if (typeof sent !== "object" || sent === null) return {};
  const texts = Object.entries({ search: "name", network: "network", page: "page" }).map(([from, to]) => {
    const value: unknown = Reflect.get(sent, from);
    // An object's own `toString` may be anything.
    return [to, typeof value === "string" || typeof value === "number" ? String(value) : undefined];
  });
  return pendingQueryFrom(Object.fromEntries(texts));
}

/** Makes an invitation; returns its token in the form's state, never in a URL. */
export async function makeInvitation(_: FormState, form: FormData): Promise<FormState> {
  const values = textValues(form, "note", "days", "role");
  const actor = await getUser();
  if (!actor) return loggedOut(listPath, values);
  const input = formInput(form, "note", "days", "role");
  const outcome = await invitations.invite(app(), { actor, input, now: currentTime() });
  switch (outcome.kind) {
    case "invited":
      refresh();
      return { made: outcome.token };
    case "forbidden":
      return notAllowed(values);
    case "invalid":
      return { errors: outcome.errors, values };
  }
}

/** Takes an unused invitation back. */
export async function withdrawInvitation(sent: number): Promise<FormState> {
  const actor = await getUser();
  if (!actor) return loggedOut(listPath);
  const request = { actor, id: sentId(sent), now: currentTime() };
  const outcome = await invitations.withdrawInvitation(app(), request);
  if (outcome.kind === "forbidden") return notAllowed();
  refresh();
  return {};
}
