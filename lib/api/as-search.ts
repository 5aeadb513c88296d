import { app } from "../app.ts";
import { addressRefusal } from "../limits/address-limit.ts";
import type { User } from "../users/index.ts";
import { type ApiCall, failed, type Handler } from "./route.ts";

/**
 * Middleware: counts the request as a search of its address.
 * For lists that take as long as one.
 */
export function asSearch<C extends ApiCall & { viewer: User | null }>(handler: Handler<C>): Handler<C> {
  return async (call) => {
    const { address, viewer, now } = call;
    const refused = await addressRefusal(app(), "search", { address, username: viewer?.username, now });
    return refused ? failed(refused) : handler(call);
  };
}
