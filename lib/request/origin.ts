/** Origins, as browsers write them: scheme, host and port. */
import { LRUCache } from "lru-cache";

/** The origin that a request was sent to, from the headers that the server rewrote. */
export function requestOrigin(headers: Pick<Headers, "get">): string | undefined {
  const host = headers.get("x-forwarded-host") ?? headers.get("host") ?? undefined;
  return originOf(headers.get("x-forwarded-proto") === "https" ? "https" : "http", host);
}

/** The origin of a host under this scheme; undefined when the text is not a host. */
export function originOf(protocol: "http" | "https", host: string | undefined): string | undefined {
  return host && isHost(host) ? new URL(`${protocol}://${host}`).origin : undefined;
}

/**
 * Whether a browser reports that another site's page sent the request.
 * Session cookies come with links from there, so downloads that leave a record refuse it. Other programs report nothing.
 */
export function isFromOtherSite(headers: Pick<Headers, "get">): boolean {
  const site = headers.get("sec-fetch-site") ?? "none";
  return site !== "same-origin" && site !== "none";
}

/** The latest texts of Host headers, of which there are few. */
const knownHosts = new LRUCache<string, boolean>({ max: 200 });
/** A longer one is not kept. */
const keptHostMaximum = 300;

/** Whether a text can be the value of a Host header. */
export function isHost(text: string): boolean {
  const known = knownHosts.get(text);
  if (known !== undefined) return known;
  const isValid = canBeHost(text);
  if (text.length <= keptHostMaximum) knownHosts.set(text, isValid);
  return isValid;
}

function canBeHost(text: string): boolean {
  return /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.test(text) && URL.canParse(`http://${text}`);
}
