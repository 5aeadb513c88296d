/** Whether a request that may change something was sent by our own pages. */
import { requestOrigin } from "./forwarded.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * True for a request that another site's page made a browser send: its `Origin` is foreign, `null` or malformed.
 * Without one it does not come from a browser's page, and the checks that follow decide. Needs the headers as the
 * front door has left them.
 */
export function isForeign({ method, headers }: { method: string; headers: Pick<Headers, "get"> }): boolean {
  const origin = headers.get("origin");
  return origin !== null && !safeMethods.has(method) && origin !== requestOrigin(headers);
}
