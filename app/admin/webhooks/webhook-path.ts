import { pathWith } from "@/lib/paths";

/** The page of a webhook's deliveries, also of those before a number. */
export function webhookPath(id: number, before?: number): string {
  return pathWith(`/admin/webhooks/${id}`, { before });
}
