"use server";

import { refresh } from "next/cache";
import type { FormState } from "@/app/_components/form";
import { formInput, loggedOut, notAllowed, sentForm, sentId, textValues } from "@/app/_components/form-data";
import { showNotice } from "@/app/_components/show-notice";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";
import * as webhooks from "@/lib/webhooks/manage";
import { webhookPath } from "./webhook-path";

const path = "/admin/webhooks";

/** Adds a webhook; returns its secret in the form's state, never in a URL. */
export async function addWebhook(_: FormState, form: FormData): Promise<FormState> {
  const values = eventValues(form);
  const actor = await getUser();
  if (!actor) return loggedOut(path, values);
  const now = currentTime();
  const outcome = await webhooks.addWebhook(app(), { actor, input: webhookInput(form), now });
  switch (outcome.kind) {
    case "added":
      refresh();
      return { made: outcome.secret };
    case "invalid":
      return { errors: outcome.errors, values };
    case "forbidden":
      return notAllowed(values);
  }
}

/** Saves a webhook's address and events. */
export async function saveWebhook(sent: number, _: FormState, form: FormData): Promise<FormState> {
  const values = eventValues(form);
  const actor = await getUser();
  if (!actor) return loggedOut(path, values);
  const now = currentTime();
  const outcome = await webhooks.changeWebhook(app(), {
    actor,
    id: sentId(sent),
    input: webhookInput(form),
    now,
  });
  switch (outcome.kind) {
    case "done":
      return finish("saved", actor, now);
    case "nothing-there":
      return finish("gone", actor, now);
    case "invalid":
      return { errors: outcome.errors, values };
    case "forbidden":
      return notAllowed(values);
  }
}

/** Tests a webhook, turns it on or off, gives it a new secret, or removes it. */
export async function changeWebhook(sent: number, _: FormState, form: FormData): Promise<FormState> {
  const actor = await getUser();
  if (!actor) return loggedOut(path);
  const now = currentTime();
  const request = { actor, id: sentId(sent), now };
  const change = textValues(form, "change").change;
  if (change === "renew") {
    const outcome = await webhooks.renewWebhookSecret(app(), request);
    if (outcome.kind === "forbidden") return notAllowed();
    if (outcome.kind === "renewed") return { made: outcome.secret };
    return finish("gone", actor, now);
  }
  const notice = await changed(change, request);
  if (notice === undefined) return {};
  return notice === "forbidden" ? notAllowed() : finish(notice, actor, now);
}

/** Sends the queued deliveries of a webhook now. */
export async function retryDeliveries(sent: number, _: FormState, _form: FormData): Promise<FormState> {
  const id = sentId(sent);
  const actor = await getUser();
  if (!actor) return loggedOut(webhookPath(id));
  const now = currentTime();
  const { kind } = await webhooks.retryDeliveries(app(), { actor, id, now });
  switch (kind) {
    case "done":
      return finish("retried", actor, now, webhookPath(id));
    case "webhook-off":
      return finish("retry-off", actor, now, webhookPath(id));
    case "nothing-there":
      return finish("gone", actor, now);
    case "forbidden":
      return notAllowed();
  }
}

/** Shows the list again, with a notice. */
function finish(notice: string, reader: User, now: number, page = path): never {
  return showNotice(notice, { about: "webhooks", reader, now }, (done) => `${page}?done=${done}`);
}

function webhookInput(form: FormData) {
  return { ...formInput(form, "url"), events: sentForm(form).getAll("events") };
}

/** The typed and chosen values, to be shown again. */
function eventValues(form: FormData): Record<string, string> {
  const events = sentForm(form)
    .getAll("events")
    .filter((event) => typeof event === "string");
  return { ...textValues(form, "url"), events: events.join(" ").slice(0, 200) };
}

/**
 * The notice about a change, or that it is forbidden.
 * Undefined for an unknown change.
 */
async function changed(
  change: string | undefined,
  request: Parameters<typeof webhooks.removeWebhook>[1],
): Promise<string | undefined> {
  switch (change) {
    case "test": {
      const { kind } = await webhooks.testWebhook(app(), request);
      return {
        done: "tested",
        "webhook-off": "test-off",
        "webhook-busy": "test-busy",
        "nothing-there": "gone",
        forbidden: "forbidden",
      }[kind];
    }
    case "on":
    case "off": {
      const input = { isOn: change === "on" };
      const { kind } = await webhooks.changeWebhook(app(), { ...request, input });
      if (kind === "forbidden") return kind;
      return kind === "done" ? change : "gone";
    }
    case "remove": {
      const { kind } = await webhooks.removeWebhook(app(), request);
      if (kind === "forbidden") return kind;
      return kind === "done" ? "removed" : "gone";
    }
    default:
      return undefined;
  }
}
