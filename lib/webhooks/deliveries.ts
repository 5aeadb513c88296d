/** The deliveries of a webhook, as administrators see them. */
import type { Database } from "../../db/index.ts";
import { pageOf } from "../paging/page-of.ts";
import type { User } from "../users/types.ts";
import { type ListedWebhook, listedWebhook } from "./manage.ts";

/** A delivery without its body. */
export type ListedDelivery = Awaited<ReturnType<Database["webhooks"]["deliveriesOf"]>>[number];

export const deliveryStates = ["waiting", "delivered", "given-up"] as const;

/** A page of the deliveries of a webhook that are kept, the newest first. */
export async function listDeliveries(
  { database: { webhooks } }: { database: Database },
  { isAdministrator }: Pick<User, "isAdministrator">,
  { id, before, limit }: { id: number; before?: number | undefined; limit: number },
): Promise<
  | { kind: "deliveries"; webhook: ListedWebhook; deliveries: ListedDelivery[]; next: number | null }
  | { kind: "nothing-there" }
  | { kind: "forbidden" }
> {
  if (!isAdministrator) return { kind: "forbidden" };
  const webhook = await webhooks.byId(id);
  if (!webhook) return { kind: "nothing-there" };
  const found = await webhooks.deliveriesOf(id, { before, limit: limit + 1 });
  const { items, nextCursor } = pageOf(found, limit, (delivery) => delivery.id);
  return { kind: "deliveries", webhook: listedWebhook(webhook), deliveries: items, next: nextCursor };
}

/** The state of a delivery. */
export function deliveryState({
  finishedAt,
  fault,
}: Pick<ListedDelivery, "finishedAt" | "fault">): (typeof deliveryStates)[number] {
  if (finishedAt === null) return "waiting";
  return fault === null ? "delivered" : "given-up";
}
