/** The limit of searches, in the JSON API. */
import { app } from "../app.ts";
import { addressRefusal } from "../limits/address-limit.ts";
import type { Refused } from "../limits/types.ts";
import type { User } from "../users/index.ts";
import { type ApiCall, failed, type Handler } from "./route.ts";

type ViewerCall = ApiCall & { viewer: User | null };

/**
 * Counts a search for the call's address.
 * Resolves to the reason when it is refused.
 */
export function searchRefusal({
  address,
  viewer,
  now,
}: Pick<ViewerCall, "address" | "viewer" | "now">): Promise<Refused | undefined> {
  return addressRefusal(app(), "search", { address, username: viewer?.username, now });
}

/**
 * Middleware: counts the request as a search of its address.
 * For lists that take as long as a search.
 */
export function countedAsSearch<C extends ViewerCall>(handler: Handler<C>): Handler<C> {
  return async (call) => {
    const refused = await searchRefusal(call);
    return refused ? failed(refused) : handler(call);
  };
}
