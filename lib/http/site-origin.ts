import { headers } from "next/headers";
import { env } from "../env.ts";

/**
 * Where this site is, as scheme and host without a slash at the end: the setting SITE_URL, or else as the visitor's
 * request names it.
 */
export async function siteOrigin(): Promise<string> {
  if (env.SITE_URL) return env.SITE_URL;
  const sent = await headers();
  const scheme = sent.get("x-forwarded-proto") === "https" ? "https" : "http";
  const origin = `${scheme}://${sent.get("host")}`;
  return URL.canParse(origin) ? new URL(origin).origin : `http://localhost:${env.PORT}`;
}
