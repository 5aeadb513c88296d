/** The deliveries of a webhook, as administrators see them. */
import type { Database } from "../../db/index.ts";
import { pageOf } from "../paging/page-of.ts";
import type { User } from "../users/types.ts";

/** A delivery without its body. */
export type ListedDelivery = Awaited<ReturnType<Database["webhooks"]["deliveriesOf"]>>[number];

/** A page of the deliveries of a webhook that are kept, the newest first. */
export async function listDeliveries(
  { database: { webhooks } }: { database: Database },
  { isAdministrator }: Pick<User, "isAdministrator">,
  { id, before, limit }: { id: number; before?: number | undefined; limit: number },
): Promise<
  | { kind: "deliveries"; deliveries: ListedDelivery[]; next: number | null }
  | { kind: "nothing-there" }
  | { kind: "forbidden" }
> {
  if (!isAdministrator) return { kind: "forbidden" };
  if (!(await webhooks.byId(id))) return { kind: "nothing-there" };
  const found = await webhooks.deliveriesOf(id, { before, limit: limit + 1 });
  const { items, nextCursor } = pageOf(found, limit, (delivery) => delivery.id);
  return { kind: "deliveries", deliveries: items, next: nextCursor };
}
