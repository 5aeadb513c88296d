"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/app/_components/form";
import { sentForm } from "@/app/_components/form-data";
import { permitExport } from "@/lib/account-export";
import { app } from "@/lib/app";
import { inSession, refusedState } from "../confirmation";

/**
 * Permits the download of the user's data, when the password is right.
 * For a user who wants to leave, the page offers the deletion next.
 */
export async function requestExport(_: FormState, form: FormData): Promise<FormState> {
  return inSession(form, ["currentPassword"], async (request) => {
    const outcome = await permitExport(app(), request);
    if (outcome.kind !== "permitted") return refusedState(outcome, request.now);
    const leave = sentForm(form).get("step") === "copy" ? "&leave=yes" : "";
    return redirect(`/account/export?ticket=${encodeURIComponent(outcome.ticket)}${leave}`);
  });
}
