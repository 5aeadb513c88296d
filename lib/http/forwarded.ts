/**
 * What a request says of where it was sent, as far as that can be believed.
 *
 * Anyone can send `X-Forwarded-*` headers, and the framework and next-auth believe them. The front door therefore
 * replaces them by what the settings allow: with no trusted proxy, what the socket and the Host header say.
 */
import type { IncomingHttpHeaders } from "node:http";

export interface Trust {
  /** How many proxies in front of the app write `X-Forwarded-*`. */
  trustedHops: number;
  /** The site's own address, when the settings know it. */
  siteUrl: string | undefined;
}

export interface SentTo {
  host: string | undefined;
  protocol: "http" | "https";
}

/** The host and the scheme that the browser used. The host is undefined when there is none that can be one. */
export function sentTo(
  headers: IncomingHttpHeaders,
  { trustedHops, siteUrl }: Trust,
  socketIsEncrypted: boolean,
): SentTo {
  const forwardedHost = trustedEntry(headers["x-forwarded-host"], trustedHops);
  const forwardedProtocol = trustedEntry(headers["x-forwarded-proto"], trustedHops);
  const host = [forwardedHost, headers.host].find((candidate) => candidate && isHost(candidate));
  const site = siteUrl ? new URL(siteUrl) : undefined;
  if (forwardedProtocol === "https" || forwardedProtocol === "http")
    return { host, protocol: forwardedProtocol };
  // A proxy that ends TLS and says nothing of it: the site's address does.
  const isSiteHttps = site?.protocol === "https:" && originOf("https", host) === site.origin;
  return { host, protocol: socketIsEncrypted || isSiteHttps ? "https" : "http" };
}

/** The origin that a request was sent to; needs the headers as the front door has left them. */
export function requestOrigin(headers: Pick<Headers, "get">): string | undefined {
  const host = headers.get("x-forwarded-host") ?? headers.get("host") ?? undefined;
  return originOf(headers.get("x-forwarded-proto") === "https" ? "https" : "http", host);
}

/** The origin as a browser would write it; undefined when the host is no host. */
function originOf(protocol: string, host: string | undefined): string | undefined {
  if (!host || !isHost(host)) return undefined;
  return new URL(`${protocol}://${host}`).origin;
}

/** The entry written by the outermost trusted proxy; proxies that keep no list leave just one. */
function trustedEntry(value: string | string[] | undefined, trustedHops: number): string | undefined {
  if (trustedHops === 0 || value === undefined) return undefined;
  return String(value).split(",").slice(-trustedHops)[0]?.trim().toLowerCase();
}

function isHost(text: string): boolean {
  return /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.test(text) && URL.canParse(`http://${text}`);
}
