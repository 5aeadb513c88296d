/**
 * Where a request was sent, as far as its headers can be believed.
 *
 * Anyone can send `X-Forwarded-*` headers, and Next.js and next-auth believe them. The server therefore replaces them:
 * without a trusted proxy, only the socket and the Host header count.
 */
import type { IncomingHttpHeaders } from "node:http";
import { isHost, originOf } from "../lib/request/origin.ts";

export interface Trust {
  /** How many proxies in front of the server write `X-Forwarded-*`. */
  trustedHops: number;
  /** The site's own address, when the settings name it. */
  siteUrl: string | undefined;
}

export interface SentTo {
  /** Undefined when no header names a valid host. */
  host: string | undefined;
  protocol: "http" | "https";
}

/** The host and the scheme that the browser used. */
export function sentTo(
  headers: IncomingHttpHeaders,
  { trustedHops, siteUrl }: Trust,
  socketIsEncrypted: boolean,
): SentTo {
  const forwardedHost = trustedEntry(headers["x-forwarded-host"], trustedHops);
  const forwardedProtocol = trustedEntry(headers["x-forwarded-proto"], trustedHops);
  const host = [forwardedHost, headers.host].find((candidate) => candidate && isHost(candidate));
  if (forwardedProtocol === "https" || forwardedProtocol === "http")
    return { host, protocol: forwardedProtocol };
  // A proxy that ends TLS without a header for it: the site's own address has the protocol.
  const site = siteUrl ? new URL(siteUrl) : undefined;
  const isSiteHttps = site?.protocol === "https:" && originOf("https", host) === site.origin;
  return { host, protocol: socketIsEncrypted || isSiteHttps ? "https" : "http" };
}

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether another site's page made a browser send this request.
 * Its `Origin` is foreign, `null` or malformed.
 *
 * A request without an `Origin` does not come from a page; session and token decide about it.
 */
export function isForeign(method: string, origin: string | undefined, { protocol, host }: SentTo): boolean {
  return origin !== undefined && !safeMethods.has(method) && origin !== originOf(protocol, host);
}

/**
 * The entry of the outermost trusted proxy.
 * A proxy that keeps no list leaves just one entry.
 */
function trustedEntry(value: string | string[] | undefined, trustedHops: number): string | undefined {
  if (trustedHops === 0 || value === undefined) return undefined;
  return String(value).split(",").slice(-trustedHops)[0]?.trim().toLowerCase();
}
