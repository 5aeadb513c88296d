import { headers } from "next/headers";
import { cache } from "react";
import { env } from "../settings/env.ts";
import { requestOrigin } from "./origin.ts";

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * The site's own origin, for links that are read elsewhere and later.
 * It comes from SITE_URL. Without it only a loopback address is taken from a request: any client can claim another
 * name.
 */
export const trustedOrigin = cache(async (): Promise<string | undefined> => {
  const origin = requestOrigin(await headers());
  if (env.SITE_URL) return env.SITE_URL;
  return origin && loopback.test(new URL(origin).hostname) ? origin : undefined;
});

/**
 * The site's origin for text that only the signed-in user of this request reads.
 * It comes from SITE_URL, or else from the request of their browser. Public pages use `trustedOrigin`.
 */
export async function siteOrigin(): Promise<string> {
  return env.SITE_URL ?? requestOrigin(await headers()) ?? `http://localhost:${env.PORT}`;
}
